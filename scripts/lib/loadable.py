# SPDX-License-Identifier: Apache-2.0
"""Does a program load on the oldest system it is meant for, Ubuntu 22.04 (JetPack 6)? Reads what it needs of whom.

Usage: loadable.py PROGRAM...     one line per fault; status 1 when there is one
"""

import re
import subprocess
import sys

# Ubuntu 22.04 has glibc 2.35, libstdc++ and libgcc of GCC 12, systemd 249, libfuse 3.10.
NEWEST = {
    "GLIBC": (2, 35),
    "GLIBCXX": (3, 4, 30),
    "CXXABI": (1, 3, 13),
    "GCC": (12, 0, 0),
    "LIBSYSTEMD": (249,),
    "FUSE": (3, 10),
}
# Names that are the same in Debian 12, Ubuntu 22.04 and Ubuntu 24.04. Those of spdlog and fmt are not: headers only.
LIBRARIES = {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libsystemd.so.0"}
LOADERS = {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
ALSO = {
    "sweetspot": {"libsqlite3.so.0"},
    "sweetspotd-history": {"libsqlite3.so.0"},
    "sweetspot-sim": {"libfuse3.so.3"},
}


def needed_versions(version_text):
    """(name, number) of every version that `readelf -V` lists as needed."""
    needs = version_text.partition("Version needs section")[2]
    found = set()
    for name in re.findall(r"Name: (\S+)", needs):
        match = re.fullmatch(r"([A-Z]+)_([\d.]+)", name)
        found.add((match.group(1), tuple(map(int, match.group(2).split(".")))) if match else (name, None))
    return found


def needed_libraries(dynamic_text):
    """The libraries that `readelf -d` lists as needed."""
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic_text))


def faults(program, version_text, dynamic_text):
    """One line for everything that `program` (its name) needs and the oldest system lacks."""
    found = []
    for name, number in sorted(needed_versions(version_text), key=str):
        if name not in NEWEST or number is None:
            found.append(f"{program}: needs symbols of version {name}, of which nothing is known")
        elif number > NEWEST[name]:
            found.append(f"{program}: needs {name}_{_dotted(number)}; the oldest system has {_dotted(NEWEST[name])}")
    allowed = LIBRARIES | LOADERS | ALSO.get(program, set())
    libraries = needed_libraries(dynamic_text)
    if not libraries:
        found.append(f"{program}: needs no library at all: not a program that is linked dynamically")
    return found + [f"{program}: needs {library}" for library in sorted(libraries - allowed)]


def faults_of_file(path):
    return faults(path.rsplit("/", 1)[-1], _readelf("-V", path), _readelf("-d", path))


def _readelf(what, path):
    return subprocess.run(["readelf", "--wide", what, path], check=True, capture_output=True, text=True).stdout


def _dotted(number):
    return ".".join(map(str, number))


def main(programs):
    found = [fault for program in programs for fault in faults_of_file(program)]
    print("\n".join(found) if found else f"{len(programs)} programs need nothing that the oldest system lacks")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
