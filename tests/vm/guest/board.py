# SPDX-License-Identifier: Apache-2.0
"""The board as the kernel shows it, and the levers of the two devices without hardware (tests/vm/kmod)."""

import contextlib
import errno
import os
import pathlib
import subprocess

from daemon_calls import eventually

MHZ = 1_000_000
LOWEST = 306 * MHZ
HIGHEST = 1_300_500_000
DEVICE = pathlib.Path("/sys/devices/platform/bus@0/17000000.gpu")
NODE = DEVICE / "devfreq/17000000.gpu"
DRIVER = pathlib.Path("/sys/bus/platform/drivers/fakegpu")
GPU_LEVERS = pathlib.Path("/sys/kernel/debug/fakegpu")
I2C_LEVERS = pathlib.Path("/sys/kernel/debug/fakei2c.1")  # bus 1 by the device tree's alias
POWER_MODE = pathlib.Path("/var/lib/nvpmodel/status")

# Rail: address, channel from 1. All shunts of the device tree are 2 milliohm.
RAILS = {"VDD_GPU_SOC": (0x40, 1), "VDD_CPU_CV": (0x40, 2), "VIN_SYS_5V0": (0x40, 3), "VDDQ_VDD2_1V8AO": (0x41, 2)}
SHUNT_OHM = 0.002
# Data sheet of the INA3221: least steps of the two registers of a channel, whose values begin at bit 3.
BUS_STEP_V = 0.008
SHUNT_STEP_V = 0.00004


def read(path):
    return pathlib.Path(path).read_text(encoding="ascii").strip()


def write(path, value):
    """One write(2), as the kernel wants it."""
    file = os.open(path, os.O_WRONLY)
    try:
        os.write(file, f"{value}\n".encode())
    finally:
        os.close(file)


def hwmon_files(rail):
    """(voltage in mV, current in mA) of a rail. The number of the hwmon folder changes from boot to boot."""
    address, channel = RAILS[rail]
    (folder,) = pathlib.Path(f"/sys/bus/i2c/devices/1-{address:04x}/hwmon").iterdir()
    return folder / f"in{channel}_input", folder / f"curr{channel}_input"


class Board:
    def insert_gpu(self):
        subprocess.run(["modprobe", "fakegpu"], check=True)

    def remove_gpu(self):
        if DRIVER.exists():
            subprocess.run(["modprobe", "-r", "fakegpu"], check=True)

    def insert_sensors(self):
        """ina3221 itself is loaded by udev, from the device tree."""
        subprocess.run(["modprobe", "fakei2c"], check=True)
        eventually(lambda: len(list(pathlib.Path("/sys/bus/i2c/drivers/ina3221").glob("1-00*/hwmon/hwmon*"))) == 2)

    def remove_sensors(self):
        subprocess.run(["modprobe", "-r", "fakei2c"], check=True)

    def unbind_gpu(self):
        write(DRIVER / "unbind", DEVICE.name)

    def bind_gpu(self):
        write(DRIVER / "bind", DEVICE.name)

    def limits(self):
        """(min_freq, max_freq) as the kernel shows them; None while there is no node."""
        try:
            return int(read(NODE / "min_freq")), int(read(NODE / "max_freq"))
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENODEV):
                return None
            raise

    def is_free(self):
        return self.limits() == (LOWEST, HIGHEST)

    def is_pinned(self, mhz):
        return self.limits() == (mhz * MHZ, mhz * MHZ)

    def clock(self):
        """What the hardware runs at, behind the back of devfreq."""
        return int(read(GPU_LEVERS / "clk_hz"))

    def milliseconds_at_each_clock(self):
        """From trans_stat, whose rows are `*  714000000:   0 …  1234`, the last number being the time."""
        rows = [line.strip("* ").split(":") for line in read(NODE / "trans_stat").splitlines()]
        return {int(row[0]): int(row[1].split()[-1]) for row in rows if len(row) == 2 and row[0].isdigit()}

    def forget_milliseconds(self):
        write(NODE / "trans_stat", 0)

    def lever(self, name, value):
        """One of the GPU driver's: load, set_errno, set_delay_ms, stuck, cur_errno."""
        write(GPU_LEVERS / name, value)

    def fail_transfers(self, address, error):
        write(I2C_LEVERS / "fail_addr", address)
        write(I2C_LEVERS / "fail_errno", error)

    def transfers(self):
        return int(read(I2C_LEVERS / "transfers"))

    def power(self, rail, volts, amperes):
        """Sets the registers, and answers the watts they stand for: both are rounded to the chip's steps."""
        address, channel = RAILS[rail]
        bus = round(volts / BUS_STEP_V)
        shunt = round(amperes * SHUNT_OHM / SHUNT_STEP_V)
        for register, steps in ((2 * channel, bus), (2 * channel - 1, shunt)):
            write(I2C_LEVERS / "poke", f"{address:x} {register:x} {(steps << 3) & 0xFFFF:x}")
        return bus * BUS_STEP_V * shunt * SHUNT_STEP_V / SHUNT_OHM

    def cooling_state(self):
        """The file of the kernel's own devfreq cooling device: 0 is no cap, each step takes one clock away from the top."""
        for device in pathlib.Path("/sys/class/thermal").glob("cooling_device*"):
            if "devfreq" in read(device / "type"):
                return device / "cur_state"
        raise FileNotFoundError("the kernel has no devfreq cooling device")

    def cool(self, steps):
        write(self.cooling_state(), steps)

    def change_power_mode(self, number, cap):
        """In the order in which nvpmodel does it: the limits, then its own note."""
        write(NODE / "min_freq", 0)
        write(NODE / "max_freq", cap)
        POWER_MODE.parent.mkdir(parents=True, exist_ok=True)
        POWER_MODE.write_text(f"pmode:{number:04}\n", encoding="ascii")

    def make_well(self):
        """No fault, limits as after the kernel's start, some load, 30 W on the rails that are counted."""
        self.insert_gpu()
        if not NODE.exists():
            self.bind_gpu()
        for name in ("set_errno", "set_delay_ms", "stuck", "cur_errno"):
            self.lever(name, 0)
        self.lever("load", 500)
        self.cool(0)
        write(NODE / "min_freq", 0)
        write(NODE / "max_freq", 0)
        with contextlib.suppress(FileNotFoundError):
            POWER_MODE.unlink()
        self.insert_sensors()
        self.fail_transfers(0, 0)
        self.power("VDD_GPU_SOC", 20.0, 1.0)
        self.power("VDD_CPU_CV", 20.0, 0.5)
        self.power("VIN_SYS_5V0", 5.0, 1.0)
        self.power("VDDQ_VDD2_1V8AO", 5.0, 0.2)

    def describe(self):
        """For the report of a fault."""
        lines = []
        for name in ("min_freq", "max_freq", "cur_freq", "target_freq"):
            try:
                lines.append(f"{name} {read(NODE / name)}")
            except OSError as error:
                lines.append(f"{name}: {error.strerror}")
        return "board: " + ", ".join(lines)
