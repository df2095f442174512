# SPDX-License-Identifier: Apache-2.0
"""What a program's --help says, as values: the one source of its man page and its completion."""

import dataclasses
import re
import subprocess

DESCRIPTION_COLUMN = 30
FIXED_GROUPS = ("Positionals", "Options", "Subcommands")


@dataclasses.dataclass
class Option:
    """An option or a positional argument."""

    names: list
    description: str
    value: str = ""  # what the argument is called; empty for a flag
    default: str = ""
    limits: str = ""  # range of the value
    required: bool = False
    repeatable: bool = False
    needs: str = ""
    excludes: str = ""

    @property
    def is_positional(self):
        return not self.names[0].startswith("-")


@dataclasses.dataclass
class Command:
    name: str
    purpose: str
    usage: str
    groups: dict  # title -> [Option], in the order of the help
    subcommands: list
    footer: list  # lines

    def options(self):
        return [option for group in self.groups.values() for option in group]

    def sentence(self):
        """The purpose alone: `run` shows its arguments before it, because --help has no other place for them."""
        text = re.sub(r"^\S+ \[OPTIONS\].*?: ", "", self.purpose.strip()).rstrip(".")
        return text[:1].upper() + text[1:]


def read_program(path):
    """The command of the program at `path`, its subcommands included."""
    program = parse_help(_help_of([path]))
    for index, (name, _) in enumerate(program.subcommands):
        program.subcommands[index] = parse_help(_help_of([path, name]), name)
    return program


def _help_of(words):
    # What the environment sets would show as defaults.
    return subprocess.run([*words, "--help"], env={"LC_ALL": "C.UTF-8"}, check=True, capture_output=True, text=True).stdout


def parse_help(text, name=""):
    before, usage, after = _split_at_usage(text)
    command = Command(name or usage.split()[0], " ".join(before), usage, {}, [], [])
    lines = after.splitlines()
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
        elif _is_group(lines, at):
            at = _read_group(command, lines, at)
        else:
            command.footer = _without_blank_ends(lines[at:])
            break
    return command


def _split_at_usage(text):
    match = re.search(r"^Usage: (.*)$", text, re.MULTILINE)
    if not match:
        raise ValueError(f"no usage line in: {text[:200]}")
    return text[: match.start()].split("\n"), match.group(1), text[match.end() :]


def _is_group(lines, at):
    title = re.fullmatch(r"(\S.*):", lines[at])
    if not title:
        return False
    follower = lines[at + 1] if at + 1 < len(lines) else ""
    return title.group(1) in FIXED_GROUPS or follower.startswith("  -")


def _read_group(command, lines, at):
    """Reads the group whose title stands at line `at`; answers the line behind it."""
    title = lines[at][:-1]
    at += 1
    entries = []
    while at < len(lines) and lines[at].startswith("  "):
        if _is_continued(lines[at]):
            entries[-1][1] += " " + lines[at].strip()
        elif _stands_alone(lines, at):
            entries.append([lines[at].strip(), ""])
        else:
            entries.append([lines[at][:DESCRIPTION_COLUMN].strip(), lines[at][DESCRIPTION_COLUMN:].strip()])
        at += 1
    if title == "Subcommands":
        command.subcommands = [(name, text.strip()) for name, text in entries]
    else:
        command.groups[title] = [_option(left, text.strip()) for left, text in entries]
    return at


def _is_continued(line):
    return line.startswith(" " * DESCRIPTION_COLUMN)


def _stands_alone(lines, at):
    """An option so long that its description begins on the next line."""
    fits = lines[at][DESCRIPTION_COLUMN - 2 : DESCRIPTION_COLUMN].isspace()
    return not fits and at + 1 < len(lines) and _is_continued(lines[at + 1])


def _option(left, description):
    names, _, rest = left.partition(" ")
    option = Option([re.sub(r"\{.*\}", "", name) for name in names.split(",")], description)
    rest = f" {rest} "
    for field, pattern in (("needs", r" Needs: (\S+)"), ("excludes", r" Excludes: (\S+)")):
        match = re.search(pattern, rest)
        if match:
            setattr(option, field, match.group(1))
            rest = rest.replace(match.group(0), "")
    option.required, rest = _taken(rest, " REQUIRED")
    option.repeatable, rest = _taken(rest, " ...")
    match = re.search(r":[A-Z]+ in \[(.*?) - (.*?)\]", rest)
    if match:
        option.limits = f"{match.group(1)} to {match.group(2)}"
        rest = rest.replace(match.group(0), "")
    option.value, _, option.default = rest.strip().partition("=")
    return option


def _taken(text, word):
    return word in text, text.replace(word, "")


def _without_blank_ends(lines):
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines
