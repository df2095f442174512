# SPDX-License-Identifier: Apache-2.0
"""Counts what a JUnit file of ctest says, names what failed or was skipped, and prints the closing line last.

Usage: count_tests.py JUNIT_FILE CTEST_STATUS [--promises] [--reports FOLDER]

A test that ctest could not run at all (no executable, a broken fixture, disabled) counts as failed: only a test that said
itself that it was skipped counts as skipped. With --promises, each test that docs/promises.md names and that did not pass counts
as one more failure. With --reports, so does each report that a sanitized program left in that folder: a test need not notice what a
program said that it started and then killed. Exit status 0 when nothing failed and something ran.
"""

import argparse
import pathlib
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter

import promises


def outcome(case):
    """passed, skipped or failed, and one line of reason."""
    status = case.get("status")
    if status == "run" and case.find("failure") is None:
        return "passed", ""
    skipped = case.find("skipped")
    message = skipped.get("message", "") if skipped is not None else ""
    if status == "notrun" and message.startswith("SKIP_"):
        return "skipped", skip_reason(case.findtext("system-out") or "")
    failure = case.find("failure")
    if failure is not None:
        said = failure_reason(case.findtext("system-out") or "")
        return "failed", said or failure.get("message") or "no reason given"
    return "failed", message or status or "no status"


def skip_reason(output):
    """The text after GoogleTest's `file:line: Skipped`, or unittest's `skipped '…'`, or the last line of output."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for index, line in enumerate(lines):
        if line.endswith(": Skipped") and index + 1 < len(lines):
            return lines[index + 1]
        if "skipped '" in line:
            return line.split("skipped '", 1)[1].rstrip("'")
    return lines[-1] if lines else "no reason given"


def failure_reason(output):
    """GoogleTest's first failure with the line that follows it, or Python's last error; empty when there is neither."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for line, following in zip(lines, [*lines[1:], ""]):
        if line.endswith(": Failure"):
            return f"{line}: {following}"
    errors = [line for line in lines if line.partition(":")[0].endswith(("Error", "Exception", "Expired"))]
    return errors[-1] if errors else ""


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("junit_file")
    parser.add_argument("ctest_status", type=int)
    parser.add_argument("--promises", action="store_true")
    parser.add_argument("--reports", type=pathlib.Path)
    return parser.parse_args()


def main(junit_file, ctest_status, check_promises, report_folder):
    try:
        cases = list(ElementTree.parse(junit_file).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        print(f"no test report: {error}")
        print("0 passed, 1 failed, 0 skipped")
        return 1

    counts = Counter()
    for case in cases:
        kind, reason = outcome(case)
        counts[kind] += 1
        if kind != "passed":
            print(f"{kind}: {case.get('name')}: {reason}")
    for report in sorted(report_folder.glob("*")) if report_folder else []:
        counts["failed"] += 1
        print(f"failed: {report}:\n{report.read_text(errors='replace')}")
    if not cases:
        print("no test ran")
        counts["failed"] += 1
    elif ctest_status != 0 and counts["failed"] == 0:
        print(f"ctest ended with status {ctest_status} although its report names no failed test")
        counts["failed"] += 1
    if check_promises:
        for name in promises.broken("ctest", [junit_file]):
            counts["failed"] += 1
            print(f"failed: {name}: docs/promises.md names it, and it did not pass")
    slowest = sorted(cases, key=lambda case: -float(case.get("time") or 0))[:5]
    print("slowest: " + ", ".join(f"{case.get('name')} {float(case.get('time') or 0):.1f} s" for case in slowest))
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    given = arguments()
    sys.exit(main(given.junit_file, given.ctest_status, given.promises, given.reports))
