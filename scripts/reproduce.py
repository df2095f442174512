# SPDX-License-Identifier: Apache-2.0
"""The paper's method on the simulated board: sweep, characterise, fit, evaluate on unseen tasks, beside the paper's figures.

Exit status: 0 done, 1 something failed, 2 usage.
"""

import argparse
import contextlib
import dataclasses
import pathlib
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(root / "scripts/lib/reproduction"), str(root / "scripts/lib/demo"), str(root / "scripts/lib")]

import report  # noqa: E402
import stages  # noqa: E402
from configurations import FLOOR_SHARE, MODELS, TRAINING_TASKS, UNSEEN_TASKS, configurations  # noqa: E402
from programs import Board, Daemon, DemoError, fuse_problem, temporary_folder  # noqa: E402

PUBLISHED = root / "config/curves/published.csv"
# The one job that is swept through daemon and board, and how many times faster than the real one it trains.
SWEPT = "bert-base/qnli"
SWEPT_TIME_SCALE = 400
SAMPLING_PERIOD_MS = 20
SMALL_MODELS = ("bert-small", "bert-base", "pythia-410m")


@dataclasses.dataclass(frozen=True)
class Noise:
    repeats: int
    spread: float
    seed: int


def policies(output):
    """Names of the tables' rows, and what `sweetspot evaluate` calls them."""
    return {
        "MAXN": "none",
        "FFG": "ffg",
        "MLG": "mlg",
        "tree, accuracy": f"tree:{output / 'tree-accuracy.json'}",
        "tree, regret": f"tree:{output / 'tree-regret.json'}",
        "pinned 1300.5 MHz": "max",
        "best clock": "oracle",
    }


def offline(programs, options, models):
    """Everything but the real sweep, as one text. The same options give the same text."""
    noise = Noise(options.repeat, options.run_noise, options.seed)
    training = configurations(TRAINING_TASKS, models, options.floor_share)
    unseen = configurations(UNSEEN_TASKS, models, options.floor_share)
    training_file, unseen_file = options.output / "training.csv", options.output / "unseen.csv"
    stages.collect(programs, training, noise, training_file)
    stages.collect(programs, unseen, noise, unseen_file)
    trees = {}
    for objective in ("accuracy", "regret"):
        tree = options.output / f"tree-{objective}.json"
        trees[objective] = (
            stages.fit(programs, training_file, objective, tree),
            stages.tree_text(programs, training_file, objective),
        )
    names = policies(options.output)
    on_training = stages.evaluate(programs, training_file, names.values())
    on_unseen = stages.evaluate(programs, unseen_file, names.values())
    on_published = stages.evaluate(programs, PUBLISHED, [each for each in names.values() if each != "max"])
    accuracy = trees["accuracy"][0]["held_out"]["accuracy"]
    parts = {
        "The curves": report.data_section(stages.characterise(programs, training_file)),
        "The trees": report.trees_section(trees),
        "On the configurations the trees were grown from": report.training_rows(on_training, training, names),
        "On six unseen tasks": report.unseen_section(on_unseen, unseen, names),
        "On the authors' measured curves": report.measured_section(
            on_published, {name: policy for name, policy in names.items() if policy != "max"}
        ),
        "Beside the paper": report.paper_section(on_unseen, unseen, accuracy),
    }
    return "\n".join(f"### {title}\n\n{text}" for title, text in parts.items())


def sweep(programs, options):
    """One curve, truly swept: `sweetspot sweep` through the daemon on the mounted board, beside the same curve offline."""
    options.output.joinpath("swept.csv").unlink(missing_ok=True)
    time_scale = SWEPT_TIME_SCALE * options.faster
    with temporary_folder() as folder, Board(programs, folder, time_scale, options.seed) as board:
        config = {"sampling": {"period_ms": SAMPLING_PERIOD_MS}, "log_samples_s": 0}
        with Daemon(programs, folder, board, config) as daemon:
            daemon.wait_until_ready()
            training = [programs.simulator, "train", "--sysfs-root", board.root, "--workload", SWEPT, "--socket", daemon.socket]
            command = [programs.sweetspot, "--socket", daemon.socket, "sweep", "--baseline", "--settle", "300ms", "--cooldown", "0"]
            command += ["--name", SWEPT, "--source", "simulated board", "--sysfs-root", board.root, "-o", options.output / "swept.csv"]
            done = subprocess.run([str(word) for word in [*command, "--", *training]], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise stages.ReproductionError(f"the sweep ended with status {done.returncode}")
    exact = options.output / "swept-offline.csv"
    exact.write_text(stages.output_of([programs.simulator, "curve", "--workload", SWEPT]), encoding="utf-8")
    swept = stages.mean_energies(options.output / "swept.csv", time_scale)
    return f"### One curve through daemon and board\n\n{report.swept_section(SWEPT, stages.mean_energies(exact), swept)}"


def arguments(words):
    parser = argparse.ArgumentParser(description="The paper's method on the simulated board.", prog="reproduce")
    parser.add_argument("--build", type=pathlib.Path, default=root / "build/dev", help="folder with the built programs")
    parser.add_argument("--output", type=pathlib.Path, default=root / "build/reproduction", help="where the files go")
    parser.add_argument("--seed", type=int, default=1, help="of the noise")
    parser.add_argument("--repeat", type=int, default=3, help="runs per clock")
    parser.add_argument("--run-noise", type=float, default=0.02, help="spread of power from run to run, a fraction")
    parser.add_argument("--floor-share", type=float, default=FLOOR_SHARE, help="share of the work that the clock does not shorten")
    parser.add_argument("--no-sweep", action="store_true", help="leave out the sweep through daemon and board")
    parser.add_argument("--faster", type=float, default=1, help="sweep so many times faster (shorter, less exact)")
    parser.add_argument("--small", action="store_true", help="three models only")
    return parser.parse_args(words)


def main(words):
    options = arguments(words)
    options.output.mkdir(parents=True, exist_ok=True)
    models = [model for model in MODELS if not options.small or model.name in SMALL_MODELS]
    try:
        programs = stages.Programs(options.build)
        text = offline(programs, options, models)
        print(text, flush=True)
        if not options.no_sweep:
            problem = fuse_problem()
            swept = f"### One curve through daemon and board\n\nleft out: {problem}\n" if problem else sweep(programs, options)
            print("\n" + swept)
            text += "\n" + swept
        (options.output / "report.md").write_text(text, encoding="utf-8")
    except (stages.ReproductionError, DemoError) as error:
        print(f"reproduce: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main(sys.argv[1:]))
    sys.exit(130)
