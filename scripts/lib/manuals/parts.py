# SPDX-License-Identifier: Apache-2.0
"""Parts of man pages that are made of something else: of --help, of the table of configuration keys, of the interface file."""

import re

from . import roff

JOB_GROUP = "The job"


def synopsis(command):
    """The usage lines of a program and of its commands."""
    out = []
    for each in command.subcommands or [command]:
        words = each.usage.split()
        count = 2 if command.subcommands else 1
        name, rest = " ".join(words[:count]), " ".join(words[count:])
        if each.name in ("run", "sweep"):
            rest += " -- COMMAND…"
        out += [".PP", f"\\fB{roff.escaped(name)}\\fR {roff.escaped(rest)}"]
    return out


def options(command):
    """The options of a program itself."""
    return _options(option for title, group in command.groups.items() if title != JOB_GROUP for option in group)


def job_options(command):
    """The options that several commands share: those that describe a job."""
    shared = [each.groups[JOB_GROUP] for each in command.subcommands if JOB_GROUP in each.groups]
    if any(group != shared[0] for group in shared):
        raise ValueError("commands differ in their options for a job: the page must list them for each")
    return _options(shared[0])


def commands(command):
    """Each command with its purpose, its own options and the rest of its help."""
    out = []
    for each in command.subcommands:
        out += roff.subsection(each.name)
        out += roff.paragraph(each.sentence() + ".")
        out += options(each)
        if JOB_GROUP in each.groups:
            out += roff.paragraph("It takes the options of a job, below.")
        out += footer(each)
    return out


def footer(command):
    """Examples and tables as they stand, sentences as paragraphs."""
    out = []
    for indented, lines in _runs(command.footer):
        if indented:
            out += roff.verbatim([text[2:] for text in lines])
        else:
            out += roff.paragraph(" ".join(lines))
    return out


def _runs(lines):
    """Neighbouring lines that are alike: indented or not. A table of aligned columns counts as indented."""
    runs = []
    for text in lines:
        if not text.strip():
            runs.append((None, []))
            continue
        aligned = text.startswith("  ") or re.match(r"\S+ {2,}\S", text) is not None
        text = text if not aligned or text.startswith("  ") else "  " + text
        if runs and runs[-1][0] == aligned:
            runs[-1][1].append(text)
        else:
            runs.append((aligned, [text]))
    return [run for run in runs if run[1]]


def _options(entries):
    out = []
    for option in entries:
        if option.names == ["-h", "--help"]:
            continue
        out += roff.tagged(_tag(option), _meaning(option))
    return out


def _tag(option):
    value = option.value if option.value not in ("TEXT", "INT", "UINT", "FLOAT") else _plain_value(option)
    if option.is_positional:
        return f"\\fI{roff.escaped(option.names[0])}\\fR" + ("..." if option.repeatable else "")
    names = ", ".join(f"\\fB{roff.escaped(name)}\\fR" for name in option.names)
    return names + (f" \\fI{roff.escaped(value)}\\fR" if value else "")


def _plain_value(option):
    """CLI11 calls a value by its type unless told otherwise."""
    return "TEXT" if option.value == "TEXT" else "N"


def _meaning(option):
    remarks = []
    if option.required and not option.is_positional:
        remarks.append("required")
    if option.default:
        remarks.append(f"default: {option.default}")
    if option.limits:
        remarks.append(option.limits)
    if option.needs:
        remarks.append(f"needs {option.needs}")
    if option.excludes:
        remarks.append(f"not with {option.excludes}")
    text = option.description.rstrip(".") + "."
    return text + (f" ({'; '.join(remarks)})" if remarks else "")


def configuration_keys(document):
    """The table of docs/configuration.md."""
    out = []
    for row in re.findall(r"^\| `([^`]+)` \| (.*?) \| `(.*?)` \| (.*?) \| (.*?) \|$", document, re.MULTILINE):
        key, kind, default, limits, meaning = row
        remark = f"{kind}{', ' + limits if limits.strip() else ''}; default `{default}`"
        out += roff.tagged(f"\\fB{roff.escaped(key)}\\fR", meaning, f"{remark}.")
    if not out:
        raise ValueError("no table of keys in docs/configuration.md")
    return out


def configuration_rules(document):
    """The sentences before and behind the table: how values are written, and what keys must obey together."""
    rules = re.findall(r"^What keys must obey together: (.*)$", document, re.MULTILINE)
    if len(rules) != 1:
        raise ValueError("docs/configuration.md does not say what keys must obey together")
    return roff.paragraph(f"What keys must obey together: {rules[0]}")


def interface(text):
    """The interface file: methods with their comments, then types, then errors."""
    entries = _interface_entries(text)
    out = []
    for kind, title in (("method", "Methods"), ("error", "Errors"), ("type", "Types")):
        out += roff.section(title)
        for comment, body in entries:
            if not body[0].startswith(kind + " "):
                continue
            out += roff.subsection(re.split(r"[\s(]", body[0])[1])
            if comment:
                out += roff.paragraph(comment)
            out += roff.verbatim(body)
    return out


def _interface_entries(text):
    """(comment, lines) of each type, method and error."""
    entries = []
    comment, body, depth = [], [], 0
    for line in text.splitlines():
        if not body and line.startswith("#"):
            comment.append(line[1:].strip())
        elif not body and not re.match(r"(type|method|error) ", line):
            comment = []
        else:
            body.append(line)
            plain = line.split("#")[0]
            depth += plain.count("(") - plain.count(")")
            if depth == 0 and "(" in "".join(body) and not plain.rstrip().endswith("->"):
                entries.append((" ".join(comment), body))
                comment, body = [], []
    return entries
