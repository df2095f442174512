# SPDX-License-Identifier: Apache-2.0
"""Joules, against what was set in the registers of the power monitors that the kernel's own driver reads."""

import errno
import time

from clients import status
from daemon_calls import eventually, let_pass
from scenario import JOB, equal, scenario, within

ALL = []
SENSOR_LOST = "MESSAGE_ID=07d3ca9e6c1b40cd9bcaa18ee28c92b3"
SENSOR_BACK = "MESSAGE_ID=96a3d3caecdd4781a200a3bce78d1ea1"
# Under emulation a sample may come late; what is asked of the arithmetic is asked of the measured time.
LEAST_COVERAGE = 0.8


def near(found, expected, share, what):
    within(found, expected * (1 - share), expected * (1 + share), what)


@scenario(ALL)
def rails_are_found_by_the_labels_of_the_device_tree(world):
    seen = status()
    equal(sorted(rail["name"] for rail in seen["rails"]), ["VDDQ_VDD2_1V8AO", "VDD_CPU_CV", "VDD_GPU_SOC", "VIN_SYS_5V0"], "rails")
    counted = sorted(rail["name"] for rail in seen["rails"] if rail["counted"])
    equal(counted, ["VDD_CPU_CV", "VDD_GPU_SOC"], "rails counted")


@scenario(ALL)
def joules_are_volts_times_amperes_times_time(world):
    gpu = world.board.power("VDD_GPU_SOC", 19.2, 1.5)
    cpu = world.board.power("VDD_CPU_CV", 19.2, 0.4)
    client = world.clients.member()
    reply = client.start_job(**JOB)
    let_pass(5)
    record = client.end_job(reply["job_id"])
    equal(record["energy_valid"], True, "energy_valid")
    within(record["coverage"], LEAST_COVERAGE, 1.0, "coverage")
    near(record["mean_power_w"], gpu + cpu, 0.001, "mean power of the rails counted")
    # The last sample is taken a little after the end was asked for, here some tens of milliseconds.
    near(record["energy_j"], (gpu + cpu) * record["duration_s"] * record["coverage"], 0.03, "energy of the rails counted")
    by_rail = {rail["name"]: rail["mean_power_w"] for rail in record["rails"]}
    near(by_rail["VDD_GPU_SOC"], gpu, 0.001, "VDD_GPU_SOC")
    near(by_rail["VDD_CPU_CV"], cpu, 0.001, "VDD_CPU_CV")
    return [f"{record['energy_j']:.2f} J in {record['duration_s']:.2f} s, set were {gpu + cpu:.2f} W, coverage {record['coverage']:.3f}"]


@scenario(ALL)
def a_change_of_power_is_integrated_when_it_happens(world):
    cpu = world.board.power("VDD_CPU_CV", 20.0, 0.5)
    low = world.board.power("VDD_GPU_SOC", 20.0, 0.5) + cpu
    client = world.clients.member()
    asked = time.monotonic()
    reply = client.start_job(**JOB)
    answered = time.monotonic()
    let_pass(3)
    before = time.monotonic()
    high = world.board.power("VDD_GPU_SOC", 20.0, 4.0) + cpu
    after = time.monotonic()
    let_pass(3)
    record = client.end_job(reply["job_id"])

    def joules(seconds_at_low):
        return low * seconds_at_low + high * (record["duration_s"] - seconds_at_low)

    # The job began between question and answer, on a slow machine some tenths of a second apart; the change has two ends, too.
    least, most = joules(after - asked), joules(before - answered)
    measured = record["energy_j"] / record["coverage"]
    within(measured, least * 0.95, most * 1.05, "energy over the step")
    return [f"{measured:.1f} J, expected {least:.1f} to {most:.1f} J"]


@scenario(ALL)
def negative_currents_are_counted_as_they_are(world):
    gpu = world.board.power("VDD_GPU_SOC", 20.0, -0.02)  # one step below zero, as gated rails read
    cpu = world.board.power("VDD_CPU_CV", 20.0, 0.5)
    client = world.clients.member()
    reply = client.start_job(**JOB)
    let_pass(2)
    record = client.end_job(reply["job_id"])
    near(record["mean_power_w"], gpu + cpu, 0.001, "mean power")
    rails = {rail["name"]: rail["mean_power_w"] for rail in record["rails"]}
    near(-rails["VDD_GPU_SOC"], -gpu, 0.001, "a rail below zero")


@scenario(ALL)
def errors_of_the_bus_are_gaps_and_never_zeros(world):
    expected = world.board.power("VDD_GPU_SOC", 20.0, 1.0) + world.board.power("VDD_CPU_CV", 20.0, 0.5)
    client = world.clients.member()
    reply = client.start_job(**JOB)
    let_pass(2)
    for error in (errno.EREMOTEIO, errno.ENXIO, errno.ETIMEDOUT, errno.EIO):
        world.board.fail_transfers(0x40, error)
        let_pass(1)
    world.board.fail_transfers(0, 0)
    eventually(lambda: world.machine.entries(SENSOR_BACK))
    record = client.end_job(reply["job_id"])
    equal(record["energy_valid"], False, "energy_valid")
    within(record["coverage"], 0.1, 0.9, "coverage")
    within(record["longest_gap_s"], 3.0, 60.0, "longest gap")
    near(record["mean_power_w"], expected, 0.001, "mean power of what was measured")
    equal(len(world.machine.entries(SENSOR_LOST)) > 0, True, "told in the journal")


@scenario(ALL)
def a_job_whose_monitors_never_answer_reports_no_joules(world):
    world.board.fail_transfers(0x40, errno.EREMOTEIO)
    client = world.clients.member()
    reply = client.start_job(**JOB)
    let_pass(1)
    record = client.end_job(reply["job_id"])
    equal((record["energy_j"], record["mean_power_w"], record["energy_valid"]), (None, None, False), "(J, W, valid)")
