# SPDX-License-Identifier: Apache-2.0
"""House rules that show in the text of a file. Each function returns one line per fault."""

import re

SPDX = "SPDX-License-Identifier: Apache-2.0"
# Code that uses what the kernel gives to GPL modules alone has its licence.
KERNEL_SPDX = "SPDX-License-Identifier: GPL-2.0"
KERNEL_MODULES = ("tests", "vm", "kmod")
MOST_LINES = 350
MOST_LINES_OF_A_TEST = 500  # a test shows its whole world
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|\b(stub|stubbed|placeholder|unimplemented)\b", re.ASCII)
# GetInfo is the method's name in varlink's own interface, org.varlink.service.
VAGUE_TYPE = re.compile(r"\b(?:class|struct|enum class|enum|using)\s+(?!GetInfo\b)(\w*(?:Manager|Helper|Util|Utils|Impl|Data|Info))\b")
MACHINE_PATH = re.compile(r"(?<![\w.$}/-])/(?:work|farm|root|home/\w+|tmp/\w[\w.-]*)(?=[/\s\"'`),:]|$)")
SLEEP = re.compile(r"\b(?:sleep_for|sleep_until|usleep|nanosleep|time\.sleep)\b|(?<![\w.])::sleep\s*\(")
DISABLED_TEST = re.compile(r"\bDISABLED_\w+")
SKIP_WITHOUT_REASON = re.compile(r"\bGTEST_SKIP\(\)\s*(?:<<\s*\"\"\s*)?;")
EMPTY_ASSERTION = re.compile(r"\b(?:EXPECT|ASSERT)_TRUE\(true\)|\bSUCCEED\(\)")
RULE_FILES = ("tests", "repo")


def is_rule_file(path):
    """The rules and their tests spell out what they forbid."""
    return path.parts[:2] == RULE_FILES


def matching(repository, paths, pattern, what):
    found = []
    for path in paths:
        if is_rule_file(path):
            continue
        for number, line in repository.lines(path):
            match = pattern.search(line)
            if match:
                found.append(f"{path}:{number}: {what}: {match.group(0)}")
    return found


def missing_spdx(repository):
    """The first line, or the second after a `#!` line."""
    found = []
    for path in repository.code():
        lines = repository.text(path).splitlines()[:2]
        if lines and lines[0].startswith("#!"):
            lines = lines[1:]
        wanted = KERNEL_SPDX if path.parts[:3] == KERNEL_MODULES else SPDX
        if not lines or wanted not in lines[0]:
            found.append(f"{path}: does not begin with `{wanted}`")
    return found


def long_files(repository):
    found = []
    for path in repository.code():
        most = MOST_LINES_OF_A_TEST if path.parts[0] == "tests" else MOST_LINES
        length = len(repository.text(path).splitlines())
        if length > most:
            found.append(f"{path}: {length} lines, more than {most}")
    return found


def unfinished_words(repository):
    return matching(repository, repository.code(), UNFINISHED, "unfinished")


def vague_types(repository):
    return matching(repository, repository.cpp("src", "include", "tests", "bench"), VAGUE_TYPE, "a name that says nothing")


def machine_paths(repository):
    """Everything in the tree but recorded boards: a path of somebody's machine works nowhere else."""
    paths = [path for path in repository.files if path.parts[:2] != ("tests", "data")]
    return matching(repository, paths, MACHINE_PATH, "a path of one machine")


def sleeping_tests(repository):
    """tests/support may sleep: the one place that polls a condition until a deadline."""
    paths = [path for path in repository.under("tests") if repository.is_code(path) and path.parts[1] != "support"]
    return matching(repository, paths, SLEEP, "a test that sleeps")


def idle_tests(repository):
    tests = repository.cpp("tests")
    return (
        matching(repository, tests, DISABLED_TEST, "a disabled test")
        + matching(repository, tests, SKIP_WITHOUT_REASON, "a skip without a reason")
        + matching(repository, tests, EMPTY_ASSERTION, "an assertion that cannot fail")
    )
