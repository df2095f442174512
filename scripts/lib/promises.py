# SPDX-License-Identifier: Apache-2.0
"""Holds docs/promises.md against what ran: every test it names must have passed.

Usage: promises.py KIND FILE…: KIND is ctest (FILEs are its JUnit reports), nspawn or vm (FILEs have a line `ok NAME …` for each
that passed). Prints what is missing; exit status 0 when nothing is.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/promises.md"
KINDS = {"ctest": ("unit.", "component.", "system."), "nspawn": ("nspawn.",), "vm": ("vm.",)}
NAME = re.compile(r"`([a-z]+\.[^`\s]+)`")
PASSED_LINE = re.compile(r"^ok\s+(\S+)")


def promised(kind, page=None):
    """Names of the tests of that kind that the page names, in its order, without the kind's own prefix where it is one."""
    text = PAGE.read_text(encoding="utf-8") if page is None else page
    names = [name for name in dict.fromkeys(NAME.findall(text)) if name.startswith(KINDS[kind])]
    return names if kind == "ctest" else [name.partition(".")[2] for name in names]


def passed_in_junit(file):
    cases = ElementTree.parse(file).getroot().iter("testcase")
    return {case.get("name") for case in cases if case.get("status") == "run" and case.find("failure") is None}


def passed_in_lines(file):
    lines = pathlib.Path(file).read_text(encoding="utf-8", errors="replace").splitlines()
    return {found.group(1) for found in map(PASSED_LINE.match, lines) if found}


def broken(kind, files, page=None):
    """The promised tests that did not pass."""
    read = passed_in_junit if kind == "ctest" else passed_in_lines
    passed = set().union(*(read(file) for file in files))
    return [name for name in promised(kind, page) if name not in passed]


def main(kind, *files):
    missing = broken(kind, files)
    for name in missing:
        print(f"promise not held: {name} is named in docs/promises.md and did not pass here")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
