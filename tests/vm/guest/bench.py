# SPDX-License-Identifier: Apache-2.0
"""The bench itself, before there is a daemon: what the scenarios build on is what this kernel does."""

import errno

from board import HIGHEST, LOWEST, MHZ, NODE, RAILS, hwmon_files, read, write
from daemon_calls import eventually
from scenario import contains, equal, scenario

ALL = []


@scenario(ALL, make_ready=False)
def the_kernels_devfreq_core_answers(world):
    board = world.board
    board.insert_gpu()
    equal(NODE.resolve(), NODE, "the path of a Jetson Orin")
    equal(board.limits(), (LOWEST, HIGHEST), "limits at first")
    write(NODE / "min_freq", 918 * MHZ)
    write(NODE / "max_freq", 510 * MHZ)
    equal(board.limits(), (510 * MHZ, 510 * MHZ), "limits when min is above max: max wins")
    equal((board.clock(), int(read(NODE / "cur_freq"))), (510 * MHZ, 510 * MHZ), "clocks of the hardware and of the kernel")
    write(NODE / "max_freq", 0)
    equal(board.limits(), (918 * MHZ, HIGHEST), "limits when max has no limit: min is remembered")
    board.lever("set_errno", errno.EIO)
    write(NODE / "min_freq", 1020 * MHZ)
    equal(board.clock(), 918 * MHZ, "the hardware's clock after a write that succeeded and did nothing")
    board.lever("set_errno", 0)


@scenario(ALL, make_ready=False)
def the_kernels_devfreq_cooling_caps_the_clock(world):
    board = world.board
    board.make_well()
    board.cool(8)
    equal(board.limits(), (LOWEST, 510 * MHZ), "limits under a cap")
    board.cool(0)
    equal(board.limits(), (LOWEST, HIGHEST), "limits after it")


@scenario(ALL, make_ready=False)
def the_kernels_ina3221_driver_reads_what_was_set(world):
    board = world.board
    board.make_well()
    for number, rail in enumerate(RAILS, start=1):
        watts = board.power(rail, 19.2, number / 10)
        volts, amperes = hwmon_files(rail)
        equal(round(int(read(volts)) * int(read(amperes)) / 1e6, 3), round(watts, 3), f"W at {rail}")
    board.fail_transfers(0x40, errno.EREMOTEIO)
    try:
        read(hwmon_files("VDD_GPU_SOC")[0])
        raise AssertionError("no error from a bus that fails")
    except OSError as error:
        equal(error.errno, errno.EREMOTEIO, "error of the bus")


@scenario(ALL, make_ready=False)
def binding_the_driver_anew_forgets_the_limits(world):
    """Why a pin must be made again; and leaves the board without GPU and sensors, as it is early at boot."""
    board = world.board
    board.make_well()
    write(NODE / "max_freq", 510 * MHZ)
    board.unbind_gpu()
    equal(board.limits(), None, "limits of a GPU that is gone")
    board.bind_gpu()
    equal(board.limits(), (LOWEST, HIGHEST), "limits of a GPU that is back")
    board.remove_gpu()
    board.remove_sensors()
    eventually(lambda: not NODE.exists())
    contains(read("/proc/modules"), "ina3221")
