# SPDX-License-Identifier: Apache-2.0
"""The files of a source tree, as the rules beside this file see them."""

import os
import pathlib
import subprocess

GENERATED = {"build", ".cache", ".git", "__pycache__"}
CODE_ENDINGS = {".cpp", ".hpp", ".cu", ".py", ".sh", ".cmake", ".c", ".h"}


class Repository:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.files = sorted(path for path in self._list() if (self.root / path).is_file())

    def _list(self):
        """What git tracks; where there is no git (an unpacked archive), all that is not generated."""
        command = ["git", "-c", "safe.directory=*", "-C", str(self.root), "ls-files", "-z"]
        if (self.root / ".git").exists():
            listed = subprocess.run(command, capture_output=True, check=False)
            if listed.returncode == 0:
                return [pathlib.PurePosixPath(name.decode()) for name in listed.stdout.split(b"\0") if name]
        found = []
        for folder, below, names in os.walk(self.root):
            below[:] = [name for name in below if name not in GENERATED]
            found += [pathlib.PurePosixPath(os.path.relpath(os.path.join(folder, name), self.root)) for name in names]
        return found

    def text(self, path):
        return (self.root / path).read_text(encoding="utf-8", errors="replace")

    def lines(self, path):
        """(line number from 1, line) pairs."""
        return enumerate(self.text(path).splitlines(), start=1)

    def under(self, *folders):
        return [path for path in self.files if path.parts[0] in folders]

    def cpp(self, *folders):
        return [path for path in self.under(*folders) if path.suffix in {".cpp", ".hpp", ".cu"}]

    def code(self):
        """Every file somebody wrote as code: C++, Python, shell, CMake."""
        return [path for path in self.files if self.is_code(path) and path.parts[:2] != ("tests", "data")]

    def is_code(self, path):
        if path.suffix in CODE_ENDINGS or path.name == "CMakeLists.txt":
            return True
        return path.parts[0] in {"scripts", ".ci"} and not path.suffix

    def documents(self):
        return [path for path in self.files if path.suffix == ".md"]

    def is_executable(self, path):
        return os.access(self.root / path, os.X_OK)
