# SPDX-License-Identifier: Apache-2.0
"""The unit as systemd runs it, who may use it, and what it writes to the journal."""

import pathlib
import re

from board import HIGHEST, LOWEST, NODE
from clients import GROUP, MEMBER, OUTSIDER, clock_is, run_as, status
from daemon_calls import eventually, let_pass
from machine import UNIT, run
from scenario import JOB, JOB_MHZ, contains, equal, pinned_job, scenario, within

ALL = []


def of_process(pid, *keys):
    lines = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    fields = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    return {key: fields[key] for key in keys}


@scenario(ALL)
def the_daemon_runs_as_its_own_user_without_any_capability(world):
    seen = of_process(world.machine.pid(), "Uid", "CapEff", "CapPrm", "CapInh", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp")
    if "0" in seen.pop("Uid").split():
        raise AssertionError("runs as root")
    equal(seen.pop("NoNewPrivs"), "1", "NoNewPrivs")
    equal(seen.pop("Seccomp"), "2", "Seccomp filter")
    for name, value in seen.items():
        equal(int(value, 16), 0, name)


@scenario(ALL)
def the_loaded_unit_is_hardly_exposed(world):
    said = run("systemd-analyze", "security", "--no-pager", UNIT).stdout
    exposure = float(re.search(r"exposure level for \S+: ([\d.]+)", said).group(1))
    within(exposure, 0.0, 1.0, "exposure of the loaded unit")
    return [f"exposure {exposure}"]


@scenario(ALL)
def only_the_two_limits_of_the_gpu_are_handed_to_the_daemon(world):
    world.board.remove_gpu()
    world.board.insert_gpu()
    run("udevadm", "settle")
    eventually(lambda: (NODE / "min_freq").stat().st_mode & 0o777 == 0o664)
    handed = [path.name for path in NODE.iterdir() if path.is_file() and path.stat().st_mode & 0o020]
    equal(sorted(handed), ["max_freq", "min_freq"], "files that their group may write")
    equal({(NODE / name).group() for name in handed}, {"sweetspot"}, "their group")
    equal({(NODE / name).owner() for name in handed}, {"root"}, "their owner")


@scenario(ALL)
def a_member_of_the_group_gets_a_clock(world):
    client, reply = pinned_job(world)
    equal(reply["decision"]["frequency_hz"], JOB_MHZ * 1_000_000, "decision")
    (job,) = status()["jobs"]
    equal(job["pid"], client.pid, "the job's process")
    record = client.end_job(reply["job_id"])
    equal(record["ended_by"], "client", "ended by")
    eventually(world.board.is_free)


@scenario(ALL)
def the_command_line_of_a_member_runs_a_command_as_a_job(world):
    done = run_as(MEMBER, "sweetspot", "run", "--layers", "24", "--seq-len", "14", "--", "sleep", "2")
    equal(done.returncode, 0, f"exit status: {done.stdout}{done.stderr}")
    contains(done.stderr, " J")
    eventually(world.board.is_free)
    return [done.stderr.strip().splitlines()[-1]]


@scenario(ALL)
def an_outsider_is_refused_with_a_sentence(world):
    done = run_as(OUTSIDER, "sweetspot", "start", "--layers", "24", "--seq-len", "14", "--pid", "1")
    equal(done.returncode, 1, "exit status")
    contains(done.stderr, GROUP)
    equal(world.board.limits(), (LOWEST, HIGHEST), "limits")
    return [done.stderr.strip()]


@scenario(ALL)
def an_outsiders_training_runs_all_the_same(world):
    done = run_as(OUTSIDER, "sweetspot", "run", "--layers", "24", "--seq-len", "14", "--", "echo", "trained")
    equal(done.returncode, 0, "exit status of the training")
    contains(done.stdout, "trained")
    contains(done.stderr, GROUP)


@scenario(ALL)
def the_journal_explains_its_entries(world):
    client, reply = pinned_job(world)
    client.end_job(reply["job_id"])
    match = f"SWEETSPOT_JOB_ID={reply['job_id']}"
    eventually(lambda: len(world.machine.entries(match)) >= 2)
    explained = world.machine.journal("-x", "-t", "sweetspotd")
    contains(explained, "A training job asked the daemon for a GPU clock.")
    contains(explained, "min_freq and max_freq of the GPU's devfreq node hold the clock")
    contains(explained, f"Job {reply['job_id']} ended (client)")
    ended = [entry for entry in world.machine.entries(match) if "SWEETSPOT_ENERGY_J" in entry]
    equal(len(ended), 1, "entries with the job's joules")
    equal(ended[0]["_SYSTEMD_UNIT"], UNIT, "who wrote it")


@scenario(ALL)
def doctor_finds_this_board_in_order(world):
    done = run("sweetspot", "doctor", check=False)
    equal(done.returncode, 0, f"exit status: {done.stdout}{done.stderr}")
    contains(done.stdout, "17000000.gpu")


@scenario(ALL)
def an_idle_daemon_touches_neither_the_sensors_nor_the_processor(world):
    clock_is("released")
    tasks = pathlib.Path(f"/proc/{world.machine.pid()}/task")

    def switches():
        kinds = ("voluntary_ctxt_switches", "nonvoluntary_ctxt_switches")
        return sum(int(value) for task in tasks.iterdir() for value in of_process(task.name, *kinds).values())

    let_pass(2)  # the status call above has been answered and forgotten
    before = world.board.transfers(), switches()
    let_pass(5)
    equal((world.board.transfers() - before[0], switches() - before[1]), (0, 0), "(I2C transfers, context switches) in 5 s")


@scenario(ALL)
def a_board_that_hangs_does_not_hold_up_the_socket(world):
    world.board.lever("set_delay_ms", 4000)
    client = world.clients.member()
    reply = client.start_job(**JOB)
    equal(reply["state"], "pending", "state of the job")
    equal(len(status()["jobs"]), 1, "jobs while the driver sets the clock")
    world.board.lever("set_delay_ms", 0)
    eventually(lambda: world.board.is_pinned(JOB_MHZ))
