# SPDX-License-Identifier: Apache-2.0
"""Text in the language of man pages (man(7))."""

import re
import textwrap

INLINE = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|(?<![*\w])\*([^*\s][^*]*)\*|([A-Za-z][\w.-]*)\((\d)\)")


def escaped(text):
    """Plain text: what roff would read as its own is marked, what is not ASCII is named."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace("~", "\\(ti")
    text = text.replace("^", "\\(ha").replace('"', "\\(dq")
    return "".join(letter if ord(letter) < 128 else f"\\[u{ord(letter):04X}]" for letter in text)


def line(text):
    """One line of text, which must not begin as a request does."""
    return ("\\&" if text.startswith((".", "'")) else "") + text


def lines(text):
    """Text over as many lines as it needs."""
    return [line(part) for part in textwrap.wrap(text, 78, break_long_words=False, break_on_hyphens=False)]


def formatted(text):
    """Text with `literal`, **bold**, *argument* and page(1) in it."""
    out = ""
    at = 0
    for match in INLINE.finditer(text):
        out += escaped(text[at : match.start()])
        literal, bold, argument, page, section = match.groups()
        if page:
            out += f"\\fB{escaped(page)}\\fR({section})"
        elif argument:
            out += f"\\fI{escaped(argument)}\\fR"
        else:
            out += f"\\fB{escaped(literal or bold)}\\fR"
        at = match.end()
    return out + escaped(text[at:])


def paragraph(text):
    return [".PP", *lines(formatted(text))]


def tagged(tag, *paragraphs):
    """A term, already formatted, and what it means."""
    out = [".TP", line(tag)]
    for index, text in enumerate(paragraphs):
        out += ([".IP"] if index else []) + lines(formatted(text))
    return out


def verbatim(text_lines):
    return [".PP", ".nf", ".RS 4", *[line(escaped(text)) for text in text_lines], ".RE", ".fi"]


def section(title):
    return [f'.SH {_quoted(title.upper())}']


def subsection(title):
    return [f'.SS {_quoted(title)}']


def head(name, number, date, version):
    return [
        f'.TH {name.upper()} {number} "{date}" "sweetspotd {version}" "sweetspotd"',
        ".nh",
        ".ad l",
    ]


def without_needless_breaks(requests):
    """A heading begins a paragraph by itself."""
    return [
        request
        for before, request in zip([".SH", *requests], requests)
        if not (request == ".PP" and before.startswith((".SH", ".SS")))
    ]


def _quoted(text):
    return '"' + escaped(text) + '"' if " " in text else escaped(text)
