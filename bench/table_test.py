# SPDX-License-Identifier: Apache-2.0
"""A short run of sweetspot-bench prints every row, whole and consistent. How fast anything was is not looked at.

Usage: table_test.py PROGRAM; exit status 77: skipped, because no board can be mounted here.
"""

import re
import subprocess
import sys

ROWS = (
    "GetStatus p50 / echo of the request",
    "GetStatus p50 / echo of the reply",
    "GetStatus p99 / echo of the request",
    "GetStatus p99 / echo of the reply",
    "StartJob + EndJob p50 / two echoes + bare I/O",
    "to the same with the limits' files kept open, p50",
    "StartJob + EndJob p99 / two echoes + bare I/O",
    "until the clock is given back, p50 / two echoes + bare I/O",
    "of these jobs, answered 'pending' after 40 ms",
    "sampler, processor time per sample / bare preads",
    "MLG decision with its reason in words",
    "adaptive decision on 13 clocks",
    "adaptive decision on 60 clocks",
    "the same / nine bare updates of a covariance",
    "idle daemon, PSS",
    "idle daemon, RSS",
    "idle daemon, private and written",
    "start to READY=1, median",
    "start to READY=1, p95",
    "until a status shows GPU and rails, median",
    "until a status shows GPU and rails, p95",
    "where there is no board to look at, median",
    "start and end of /bin/true, median",
)
ROW = re.compile(
    r"^(?P<what>.+?)  +(?P<daemon>[\d.]+)(?: +(?P<bare>[\d.]+))? +(?P<unit>us|ns|ms|MiB|jobs)"
    r"(?: +(?P<ratio>[\d.]+))?(?: +<= (?P<aim>[\d.]+) +(?P<reached>yes|NO))?$"
)


def faults(text):
    lines = text.splitlines()
    if len(lines) != len(ROWS) + 2 or lines[0].split() != ["daemon", "bare", "unit", "ratio", "aim", "reached"]:
        return ["a head, the rows and a count were expected, not:\n" + text]
    found = []
    reached = []
    for wanted, line in zip(ROWS, lines[1:-1]):
        row = ROW.match(line)
        if row is None or not row["what"].strip().startswith(wanted):
            found.append(f"expected a row '{wanted} …', not: {line}")
            continue
        if (row["bare"] is None) != (row["ratio"] is None):
            found.append(f"a baseline and no ratio, or the other way round: {line}")
        elif row["bare"] and abs(float(row["daemon"]) / float(row["bare"]) / float(row["ratio"]) - 1) > 0.1:
            found.append(f"the ratio is not that of the figures: {line}")
        if row["reached"]:
            reached.append(row["reached"])
    if lines[-1] != f"{reached.count('yes')} of {len(reached)} aims reached":
        found.append(f"a count of {reached} was expected, not: {lines[-1]}")
    return found


def main(program):
    run = subprocess.run([program, "--quick"], capture_output=True, text=True, timeout=150, check=False)
    if run.returncode == 77:
        print(run.stdout, end="")
        return 77
    wrong = faults(run.stdout)
    if run.returncode != 0:
        wrong.append(f"exit status {run.returncode}: {run.stderr}")
    print("\n".join(wrong) or run.stdout)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
