# SPDX-License-Identifier: Apache-2.0
"""A man page: prose that somebody wrote (docs/man), with parts that are made of other sources where it asks for them.

Prose is a little Markdown: `# NAME SECTION DATE` first, `## Section`, `### Subsection`, paragraphs, text indented by four
blanks as it stands, and `- term: what it means` lists. A line `@part` stands for the part of that name.
"""

import re

from . import roff


def page(prose, parts, version):
    """The text of the page; `parts` maps names to lines of roff."""
    title, *lines = prose.splitlines()
    match = re.fullmatch(r"# (\S+) (\d) (\d{4}-\d\d-\d\d)", title)
    if not match:
        raise ValueError(f"a page begins with `# NAME SECTION DATE`, not: {title}")
    out = roff.head(*match.groups(), version)
    for block in _blocks(lines):
        out += _block(block, parts)
    return "\n".join(roff.without_needless_breaks(out)) + "\n"


def _blocks(lines):
    """Runs of lines between blank ones; a text as it stands keeps its blank lines."""
    block = []
    for index, text in enumerate(lines):
        inside = bool(block) and block[0].startswith("    ") and _next_text(lines, index).startswith("    ")
        if text.strip() or inside:
            block.append(text)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _next_text(lines, index):
    return next((text for text in lines[index:] if text.strip()), "")


def _block(block, parts):
    first = block[0]
    if first.startswith("### "):
        return roff.subsection(first[4:])
    if first.startswith("## "):
        return roff.section(first[3:])
    if first.startswith("@"):
        return parts[first[1:].strip()]
    if first.startswith("    "):
        return roff.verbatim([text[4:] for text in block])
    if first.startswith("- "):
        return _list(block)
    return roff.paragraph(" ".join(text.strip() for text in block))


def _list(block):
    items = []
    for text in block:
        if text.startswith("- "):
            items.append(text[2:])
        else:
            items[-1] += " " + text.strip()
    out = []
    for item in items:
        term, separator, meaning = item.partition(": ")
        if not separator:
            raise ValueError(f"an item of a list is `- term: what it means`, not: {item}")
        out += roff.tagged(roff.formatted(term), meaning)
    return out
