# SPDX-License-Identifier: Apache-2.0
"""The examples of the documents print what the documents say.

A block marked `console` holds commands behind "$ " and what they print. A line "…" stands for any number of lines. Commands run in
the root of the source tree, with the built programs on the PATH; what they write to OUT/ goes to a temporary folder.

Usage: documents_test.py BUILD DOCUMENT...
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples(text):
    """Pairs of a command and the lines it is to print."""
    found = []
    for block in BLOCK.findall(text):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def missing(wanted, printed):
    """The first wanted line that is not where it should be, or None."""
    place, anywhere = 0, False
    for line in wanted:
        if line == "…":
            anywhere = True
            continue
        places = range(place, len(printed)) if anywhere else range(place, min(place + 1, len(printed)))
        place = next((i + 1 for i in places if printed[i] == line), None)
        if place is None:
            return line
        anywhere = False
    if not anywhere and place != len(printed):
        return f"the end, not: {printed[place]}"
    return None


def run(command, build, folder):
    environment = dict(os.environ, PATH=f"{build}/src/apps/sweetspot:{os.environ['PATH']}", LC_ALL="C.UTF-8", STATE_DIRECTORY=str(folder))
    done = subprocess.run(
        ["sh", "-c", command.replace("OUT/", f"{folder}/")],
        cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False,
    )
    return done.returncode, done.stdout.replace(f"{folder}/", "OUT/").splitlines()


def main(build, documents):
    faults = []
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for document in documents:
            for command, wanted in examples((ROOT / document).read_text(encoding="utf-8")):
                count += 1
                status, printed = run(command, build, folder)
                line = missing(wanted, printed)
                if status != 0 or line is not None:
                    faults.append(f"{document}: {command}\nstatus {status}, expected {line!r} in\n" + "\n".join(printed))
    if count < len(documents):
        faults.append(f"only {count} examples in {documents}")
    print("\n".join(faults) or f"{count} examples are as documented")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
