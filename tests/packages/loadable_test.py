# SPDX-License-Identifier: Apache-2.0
"""The built programs load on the oldest system, and what would not load is found out."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

from cases import BUILD, main

import loadable
from manuals.pages import PROGRAMS

VERSIONS = """
Version symbols section '.gnu.version' contains 9 entries:
  000:   0 (*local*)       2 (GLIBC_9.9)
Version needs section '.gnu.version_r' contains 2 entries:
  000000: Version: 1  File: libc.so.6  Cnt: 2
  0x0010:   Name: GLIBC_2.34  Flags: none  Version: 3
  0x0020:   Name: {newest}  Flags: none  Version: 2
"""
LIBRARIES = """
 0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]
 0x0000000000000001 (NEEDED)             Shared library: [{library}]
 0x000000000000000c (INIT)               0x1000
"""


class Programs(unittest.TestCase):
    def test_need_nothing_that_the_oldest_system_lacks(self):
        for path in PROGRAMS.values():
            self.assertEqual(loadable.faults_of_file(str(BUILD / path)), [])


class Faults(unittest.TestCase):
    def found(self, newest="GLIBC_2.35", library="libm.so.6", program="sweetspotd"):
        return loadable.faults(program, VERSIONS.format(newest=newest), LIBRARIES.format(library=library))

    def test_the_limits_themselves_are_allowed(self):
        for newest in ("GLIBC_2.35", "GLIBCXX_3.4.30", "CXXABI_1.3.13", "LIBSYSTEMD_249"):
            self.assertEqual(self.found(newest), [])

    def test_a_version_one_above_a_limit_is_a_fault(self):
        for newest in ("GLIBC_2.36", "GLIBCXX_3.4.31", "CXXABI_1.3.14", "LIBSYSTEMD_250"):
            self.assertEqual(len(self.found(newest)), 1, newest)

    def test_a_version_of_something_unknown_is_a_fault(self):
        self.assertEqual(len(self.found("SQLITE_3")), 1)
        self.assertEqual(len(self.found("GLIBC_PRIVATE")), 1)

    def test_a_library_whose_name_differs_between_systems_is_a_fault(self):
        self.assertEqual(self.found(library="libfmt.so.9"), ["sweetspotd: needs libfmt.so.9"])

    def test_only_the_simulator_may_need_fuse(self):
        self.assertEqual(self.found(library="libfuse3.so.3", program="sweetspot-sim"), [])
        self.assertEqual(len(self.found(library="libfuse3.so.3")), 1)

    def test_a_program_that_calls_what_came_with_glibc_2_36_is_found_out(self):
        compiler = shutil.which("cc")
        if not compiler:
            self.skipTest("no C compiler")
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "too_new.c"
            source.write_text("unsigned arc4random(void);\nint main(void) { return (int)(arc4random() & 1); }\n")
            program = str(source.with_suffix(""))
            built = subprocess.run([compiler, source, "-o", program], check=False, capture_output=True)
            if built.returncode != 0:
                self.skipTest("the C library here is older than 2.36")
            self.assertIn("GLIBC_2.36", " ".join(loadable.faults_of_file(program)))


if __name__ == "__main__":
    main()
