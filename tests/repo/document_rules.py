# SPDX-License-Identifier: Apache-2.0
"""What the documents name must exist. Each function returns one line per fault."""

import pathlib
import posixpath
import re

LINK = re.compile(r"(?<!\!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
SCRIPT = re.compile(r"(?<![\w./-])(?:\./)?((?:scripts|\.ci)/[\w./-]*\w)")


def broken_links(repository):
    """Relative links of Markdown files; addresses and anchors within a page are not looked at."""
    found = []
    for path in repository.documents():
        for number, line in repository.lines(path):
            for match in LINK.finditer(line):
                target = (match.group(1) or match.group(2)).split("#")[0]
                if not target or re.match(r"[a-z][a-z0-9+.-]*:", target):
                    continue
                resolved = pathlib.PurePosixPath(posixpath.normpath(path.parent / target))
                if not (repository.root / resolved).exists():
                    found.append(f"{path}:{number}: no such file: {target}")
    return found


def missing_scripts(repository):
    """Every scripts/… and .ci/… that a document names is a file; those without an ending are executable."""
    found = []
    for path in repository.documents():
        for number, line in repository.lines(path):
            for match in SCRIPT.finditer(line):
                named = pathlib.PurePosixPath(match.group(1))
                if not (repository.root / named).exists():
                    found.append(f"{path}:{number}: no such script: {named}")
                elif not named.suffix and (repository.root / named).is_file() and not repository.is_executable(named):
                    found.append(f"{path}:{number}: not executable: {named}")
    return found
