# SPDX-License-Identifier: Apache-2.0
"""What can stand behind an option: the same answer for every shell."""

import dataclasses
import re

FOLDERS = {"--sysfs-root", "--runtime-dir", "--state-dir", "DIR"}
FILES = {"--config", "--socket"}
WORDS_IN_DESCRIPTION = {"--board", "--policy", "--objective", "--export"}
LISTED_BY = re.compile(r"\(sweetspot-sim (\w+)\)")
ENUMERATION = re.compile(r"[\w+-]+(?:, [\w+-]+)+(?: or [\w+-]+)?|[\w+-]+ or [\w+-]+")


@dataclasses.dataclass(frozen=True)
class Values:
    kind: str  # files, folders, groups, processes, words, listed or free
    words: tuple = ()  # of kind words
    command: str = ""  # of kind listed: the command whose first column they are


def values_of(option):
    """Of an option with a value, or of a positional argument."""
    names = set(option.names)
    listed = LISTED_BY.search(option.description)
    if listed:
        return Values("listed", command=f"sweetspot-sim {listed.group(1)}")
    if names & WORDS_IN_DESCRIPTION:
        words = _enumerated(option.description)
        return Values("words", words) if words else Values("free")
    if names & FOLDERS or option.value == "DIR":
        return Values("folders")
    if names & FILES or option.value in ("PATH", "FILE"):
        return Values("files")
    if option.value == "GROUP":
        return Values("groups")
    if option.value == "PID":
        return Values("processes")
    return Values("free")


def _enumerated(description):
    """`mlg, ffg or none` in a description; the longest such list is the one."""
    lists = [re.split(r", | or ", found) for found in ENUMERATION.findall(description)]
    return tuple(max(lists, key=len, default=()))
