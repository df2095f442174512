# SPDX-License-Identifier: Apache-2.0
"""The package as it is given away: its wheel and its source archive build, its types hold. Exit status 77: skipped, with the reason.

Nothing is fetched: what builds and checks is the distribution's (python3-build, python3-setuptools, python3-wheel, mypy).
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from email.parser import HeaderParser

from support import ROOT, governed_board

PACKAGE = ROOT / "python"
SYSTEM_PYTHON = shutil.which("python3", path="/usr/bin") or sys.executable


def lacks(*modules):
    """Why the system's Python cannot do it; None where it can."""
    end = subprocess.run([SYSTEM_PYTHON, "-c", f"import {', '.join(modules)}"], capture_output=True, text=True, check=False)
    return None if end.returncode == 0 else f"{end.stderr.strip().splitlines()[-1]}; scripts/install-dependencies gets it"


class PackageTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="sweetspot-test-")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def run_python(self, *arguments, python=SYSTEM_PYTHON):
        words = [str(word) for word in (python, *arguments)]
        end = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(end.returncode, 0, end.stdout + end.stderr)
        return end.stdout


@unittest.skipIf(lacks("build", "setuptools", "wheel"), lacks("build", "setuptools", "wheel") or "")
class Archives(PackageTest):
    def setUp(self):
        super().setUp()
        source = self.folder / "source"  # building writes beside the sources
        shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("build", "dist", "*.egg-info", "__pycache__"))
        self.run_python("-m", "build", "--no-isolation", "--outdir", self.folder / "dist", source)
        self.wheel = next((self.folder / "dist").glob("*.whl"))
        self.archive = next((self.folder / "dist").glob("*.tar.gz"))

    def test_the_wheel_has_every_module_its_types_and_the_projects_version_and_needs_nothing(self):
        modules = {f"sweetspotd/{path.name}" for path in (PACKAGE / "src/sweetspotd").iterdir() if path.is_file()}
        self.assertIn("sweetspotd/py.typed", modules)
        with zipfile.ZipFile(self.wheel) as wheel:
            names = set(wheel.namelist())
            metadata = next(name for name in names if name.endswith(".dist-info/METADATA"))
            headers = HeaderParser().parsestr(wheel.read(metadata).decode())
        self.assertEqual({name for name in names if not name.startswith("sweetspotd-")}, modules)
        version = re.search(r"project\(sweetspotd VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
        self.assertEqual((headers["Version"], headers["Requires-Python"]), (version, ">=3.8"))
        self.assertIsNone(headers["Requires-Dist"])
        self.assertIn("none-any", self.wheel.name)

    def test_the_source_archive_builds_the_same_wheel(self):
        with tarfile.open(self.archive) as archive:
            archive.extractall(self.folder / "again")
        source = next((self.folder / "again").iterdir())
        self.assertTrue((source / "README.md").exists())
        self.run_python("-m", "build", "--no-isolation", "--wheel", "--outdir", self.folder / "second", source)
        again = next((self.folder / "second").glob("*.whl"))
        with zipfile.ZipFile(self.wheel) as first, zipfile.ZipFile(again) as second:
            self.assertEqual(sorted(first.namelist()), sorted(second.namelist()))

    def test_what_is_installed_from_the_wheel_runs(self):
        zipped = f"import sys; sys.path.insert(0, {str(self.wheel)!r}); import sweetspotd; print(sweetspotd.__version__)"
        self.assertIn(self.run_python("-I", "-c", zipped).strip(), self.wheel.name)


@unittest.skipIf(lacks("mypy"), lacks("mypy") or "")
class Types(PackageTest):
    def check(self, *arguments):
        return self.run_python("-m", "mypy", "--strict", "--cache-dir", self.folder / "cache", *arguments)

    def test_mypy_finds_nothing_in_the_package(self):
        configuration = PACKAGE / "pyproject.toml"
        printed = self.check("--config-file", configuration, "--python-version", "3.8", PACKAGE / "src/sweetspotd")
        self.assertIn("no issues found", printed)

    def test_a_typed_script_that_uses_it_is_checked_against_its_types(self):
        script = self.folder / "script.py"
        uses = "from typing import Optional\nimport sweetspotd\n\nwith sweetspotd.job(layers=2) as job:\n    job.progress(1)\n"
        script.write_text(uses + "clock: Optional[int] = job.clock_hz\n", encoding="utf-8")
        shutil.copytree(PACKAGE / "src/sweetspotd", self.folder / "sweetspotd")
        self.check("script.py")
        script.write_text(uses + "clock: str = job.clock_hz\n", encoding="utf-8")
        with self.assertRaisesRegex(AssertionError, "Incompatible types in assignment"):
            self.check("script.py")


if __name__ == "__main__":
    governed_board.main()
