# SPDX-License-Identifier: Apache-2.0
"""From the daemon's records to the demo's table, and whether its savings agree with the published ones."""

import dataclasses

import published

LIMIT_POINTS = 1.5


@dataclasses.dataclass
class Result:
    """One job of the demo."""

    workload: str
    policy: str  # as the table shows it
    time_scale: float
    record: dict  # the daemon's
    steps_at_mhz: dict  # shares of the steps per clock, as seen while it ran
    true_joules: float  # the simulator's own count, of the demo's wall time

    @property
    def pinned(self):
        return self.record["decision"]["frequency_hz"] is not None

    @property
    def joules(self):
        return self.record["energy_j"] * self.time_scale

    @property
    def switched(self):
        """The second stage moved the clock while the job ran."""
        return bool(self.record["decision"]["path"]) and "GPU load" in self.record["decision"]["path"][-1]

    @property
    def clocks_mhz(self):
        """The clocks of this job that count: the one decided, and before it the tree's where the second stage switched."""
        last = published.clock_mhz(self.record["decision"]["frequency_hz"])
        if not self.switched:
            return [last]
        return [max((mhz for mhz in self.steps_at_mhz if mhz != last), key=self.steps_at_mhz.get, default=last), last]


@dataclasses.dataclass
class Comparison:
    """A job against the MAXN job of the same workload, in this demo and in the published table. Fractions."""

    measured: float
    published: float

    @property
    def points_apart(self):
        return abs(self.measured - self.published) * 100


def compare(result, baseline):
    share = {mhz: result.steps_at_mhz.get(mhz, 0) for mhz in result.clocks_mhz} if result.switched else {}
    if not sum(share.values()):
        share = {result.clocks_mhz[-1]: 1}
    return Comparison(1 - result.joules / baseline.joules, published.saving(result.workload, share))


def compared(results):
    """(result, Comparison) in order; the comparison is None for the MAXN jobs themselves."""
    baselines = {result.workload: result for result in results if not result.pinned}
    return [(result, compare(result, baselines[result.workload]) if result.pinned else None) for result in results]


def clock_text(result):
    if not result.pinned:
        return "governor's"
    return " then ".join(f"{mhz:g}" for mhz in result.clocks_mhz) + " MHz"


def why(decision):
    """The policy's own words, shortened to fit a line."""
    if decision["policy"] == "none":
        return "MAXN, no pin: the baseline"
    if not decision["path"]:
        return decision["reason"].partition(",")[0]
    words = ", ".join(decision["path"])
    stage = decision["reason"].partition("; second stage: ")[2]
    if stage.endswith(", the clock stays"):
        words += "; " + stage.replace(", the clock stays", ": stays")
    return words.replace("mean_sequence_length", "seq").replace("mean GPU load", "load")


def energy_text(joules):
    """Three significant digits, in kJ."""
    kilojoules = joules / 1000
    return f"{kilojoules:.{2 if kilojoules < 10 else 1 if kilojoules < 100 else 0}f}"


def percent_text(fraction):
    return f"{fraction * 100:.1f} %"


HEADINGS = ("workload", "policy", "clock", "why", "kJ", "saving", "published")


def table_text(results, marks):
    """The one table. `marks` puts footnote marks after cells: {(row, heading): mark}."""
    rows = []
    for number, (result, comparison) in enumerate(compared(results)):
        first = number == 0 or results[number - 1].workload != result.workload
        cells = [
            result.workload if first else "",
            result.policy,
            clock_text(result),
            why(result.record["decision"]),
            energy_text(result.joules),
            percent_text(comparison.measured) if comparison else "-",
            percent_text(comparison.published) if comparison else "-",
        ]
        rows.append([cell + marks.get((number, heading), "") for cell, heading in zip(cells, HEADINGS)])
    return aligned(rows)


def aligned(rows):
    widths = [max(len(row[i]) for row in [HEADINGS, *rows]) for i in range(len(HEADINGS))]
    numeric = len(HEADINGS) - 3
    lines = []
    for row in [HEADINGS, *rows]:
        if row[0] and lines:
            lines.append("-" * (sum(widths) + 2 * (len(widths) - 1)))
        cells = [cell.ljust(width) if i < numeric else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def faults(results):
    """What keeps this demo from being a good one, one sentence each."""
    found = []
    for result, comparison in compared(results):
        job = f"{result.workload}, {result.policy}"
        if not result.record["energy_valid"]:
            found.append(f"{job}: only {result.record['coverage']:.0%} of the job's time was measured")
        if comparison and comparison.points_apart > LIMIT_POINTS:
            found.append(f"{job}: the savings are {comparison.points_apart:.2f} points apart, more than {LIMIT_POINTS}")
    return found
