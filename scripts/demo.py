# SPDX-License-Identifier: Apache-2.0
"""Trains on a simulated board under sweetspotd and holds the savings it measures against the published ones.

Exit status: 0 the savings agree, 1 they do not or something failed, 2 usage, 3 no board could be mounted.
"""

import argparse
import contextlib
import os
import pathlib
import signal
import sys

root = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(root / "scripts/lib"), str(root / "scripts/lib/demo")]

import published  # noqa: E402
from programs import Board, Daemon, DemoError, Programs, Training, fuse_problem, temporary_folder  # noqa: E402
from progress import Progress  # noqa: E402
from results import LIMIT_POINTS, Result, compared, energy_text, faults, percent_text, table_text  # noqa: E402

SAMPLING_PERIOD_MS = 20
END_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

# How many times faster than the real job each workload trains, so that each of its jobs takes 5 to 11 s.
TIME_SCALE = {"deberta-v2-xlarge/sst2": 250, "deberta-v2-xlarge/qnli": 3500, "pythia-14m/qnli": 28}

# A busy machine can hold the programs up before a job's first step or after its last one. Over hours that is nothing; here
# it counts as many times as time runs faster. A job that stood idle for more than this share of its time is repeated,
# whatever its energy.
MOST_IDLE = 0.015
ATTEMPTS = 3

# Policy, and whether the second stage is on, by the name the table shows. The stage changes nothing for a job that loads
# the GPU: its line says so, and the job need not run twice.
PLAIN = {"none": ("none", True), "ffg": ("ffg", True), "mlg": ("mlg", True)}
BOTH_STAGES = {
    "none": ("none", False),
    "ffg": ("ffg", False),
    "mlg, stage off": ("mlg", False),
    "mlg, stage on": ("mlg", True),
}
JOBS = {"deberta-v2-xlarge/sst2": PLAIN, "deberta-v2-xlarge/qnli": PLAIN, "pythia-14m/qnli": BOTH_STAGES}


def config(time_scale, second_stage):
    """The daemon's defaults, with the times of the second stage scaled as the job is, as far as a window can shrink."""
    return {
        "sampling": {"period_ms": SAMPLING_PERIOD_MS},
        "log_samples_s": 0,
        "second_stage": {
            "enabled": second_stage,
            "settle_s": max(0.3, round(10 / time_scale, 4)),
            "window_s": max(1, round(30 / time_scale, 4)),
        },
    }


class Demo:
    def __init__(self, options, folder):
        self._programs = Programs(options.build)
        self._folder = folder
        self._faster = options.faster
        self._seed = options.seed
        self._jobs = {name: JOBS[name] for name in options.workload or JOBS}
        self._progress = Progress(sum(len(jobs) for jobs in self._jobs.values()))
        self.results = []
        self.repeated = 0

    def run(self):
        try:
            for workload in self._jobs:
                time_scale = TIME_SCALE[workload] * self._faster
                with Board(self._programs, self._folder, time_scale, self._seed) as board:
                    self._train(board, workload, time_scale)
        finally:
            self._progress.clear()

    def _train(self, board, workload, time_scale):
        found = board.limits_hz()
        for stage in (False, True):
            jobs = {name: policy for name, (policy, wanted) in self._jobs[workload].items() if wanted == stage}
            if not jobs:
                continue
            with Daemon(self._programs, self._folder, board, config(time_scale, stage)) as daemon:
                for name, policy in jobs.items():
                    self.results.append(self._job(board, daemon, workload, name, policy, time_scale))
            if board.limits_hz() != found:
                raise DemoError(f"the clock was not given back: {board.limits_hz()} Hz instead of {found} Hz")

    def _job(self, board, daemon, workload, name, policy, time_scale):
        title = f"{workload} under {name}"
        for attempt in range(ATTEMPTS):
            daemon.wait_until_ready()
            training = Training(self._programs, board, daemon, workload, policy)
            record = training.run(lambda share: self._progress.update(title, share))
            if record["energy_j"] is None:
                raise DemoError(f"{title}: the energy was not measured")
            if training.idle_share(record) <= MOST_IDLE:
                break
            self.repeated += attempt + 1 < ATTEMPTS
        result = Result(workload, name, time_scale, record, training.steps_at_mhz, training.true_joules())
        self._progress.finish_job(title, f"{energy_text(result.joules)} kJ in {record['duration_s']:.1f} s of the demo")
        return result


def marks(results):
    """Footnote marks by (row, heading)."""
    found = {}
    for number, result in enumerate(results):
        if result.workload == "deberta-v2-xlarge/qnli" and not result.pinned:
            found[number, "kJ"] = "*"
        if result.switched:
            found[number, "published"] = "**"
    return found


def footnotes(results):
    lines = ["GPU loads are assumptions of the simulator: the authors published none for these jobs."]
    if any(result.workload == "deberta-v2-xlarge/qnli" for result in results):
        lines.append("*  The authors' MAXN run of this job was probably taken with the clock still limited to 816 MHz.")
    for result in (result for result in results if result.switched):
        before, after = result.clocks_mhz
        share = result.steps_at_mhz.get(before, 0)
        lines.append(
            f"** The second stage first watches the load: {share * 100:.0f} % of the steps were done at {before:g} MHz, and their energy is in "
            f"the figure. Published\n   joules of both clocks in that proportion; all steps at {after:g} MHz would give "
            f"{percent_text(published.saving(result.workload, {after: 1}))}."
        )
    return lines


def report(results, repeated):
    scales = ", ".join(f"{scale:g} times" for scale in {r.workload: r.time_scale for r in results}.values())
    print(f"""
A simulated board: Jetson AGX Orin 64 GB, JetPack 6, MAXN. It plays the energies that the paper's authors measured and published
({published.SOURCE}), with sensor noise and without run-to-run noise. sweetspotd pinned its clock and
measured its power rails (VDD_GPU_SOC + VDD_CPU_CV) as it would on a board. This project took none of these figures on a Jetson.
Time runs faster than on the board (workload by workload {scales}); the joules measured are multiplied by that.
`saving` is against the MAXN job of this demo, `published` what the authors' joules give for the same clock.
""")
    print(table_text(results, marks(results)))
    print()
    print("\n".join(footnotes(results)))
    errors = [abs(result.record["energy_j"] / result.true_joules - 1) for result in results]
    print(f"\nLargest difference between the daemon's joules and the simulator's own count: {max(errors) * 100:.2f} %.")
    if repeated:
        print(f"Jobs repeated because this machine held their programs up for over {percent_text(MOST_IDLE)} of their time: {repeated}.")
    print("After every daemon's end the clock limits were as found.")


def verdict(results):
    apart = [(comparison.points_apart, result) for result, comparison in compared(results) if comparison]
    largest, result = max(apart, key=lambda pair: pair[0])
    found = faults(results)
    print(f"Largest difference between a measured and a published saving: {largest:.2f} points ({result.workload}, {result.policy}); "
          f"at most {LIMIT_POINTS} are allowed.")
    for fault in found:
        print(f"FAILED: {fault}")
    return 1 if found else 0


def options_of(arguments):
    parser = argparse.ArgumentParser(prog="scripts/demo", description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=root / "build/dev", help="folder the programs were built in")
    parser.add_argument("--workload", action="append", choices=sorted(JOBS), help="only this one; may be repeated")
    parser.add_argument("--faster", type=float, default=1, help="train so many times faster still (shorter, less exact)")
    parser.add_argument("--seed", type=int, default=1, help="of the simulated sensors' noise")
    return parser.parse_args(arguments)


def hurry():
    """See MOST_IDLE. Only root may do this."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, -10)


def interrupt(number, _):
    for other in END_SIGNALS:
        signal.signal(other, signal.SIG_IGN)  # the clean-up is under way
    raise DemoError(f"ended by {signal.Signals(number).name}", 128 + number)


def main(arguments):
    options = options_of(arguments)
    for number in END_SIGNALS:
        signal.signal(number, interrupt)
    try:
        if problem := fuse_problem():
            raise DemoError(problem, 3)
        hurry()
        with temporary_folder() as folder:
            demo = Demo(options, folder)
            demo.run()
        report(demo.results, demo.repeated)
        return verdict(demo.results)
    except DemoError as error:
        print(f"demo: {error}", file=sys.stderr)
        return error.status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
