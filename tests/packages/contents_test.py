# SPDX-License-Identifier: Apache-2.0
"""The built packages as they lie in build/packages: what is in them and what they ask for. scripts/test-packages runs this."""

import pathlib
import re
import subprocess
import tempfile
import unittest

from cases import PACKAGES, ROOT, counting_main

import loadable

# Ubuntu 22.04, the system of JetPack 6: versions of what a package may depend on.
OLDEST_SYSTEM = {
    "fuse3": "3.10.5-1build1",
    "libc6": "2.35-0ubuntu3",
    "libfuse3-3": "3.10.5-1build1",
    "libgcc-s1": "12-20220319-1ubuntu1",
    "libstdc++6": "12-20220319-1ubuntu1",
    "libsystemd0": "249.11-0ubuntu3",
    "systemd": "249.11-0ubuntu3",
}


def built_packages():
    return sorted(path for path in PACKAGES.glob("*.deb") if "dbgsym" not in path.name)


def field(package, name):
    return subprocess.run(["dpkg-deb", "--field", package, name], check=True, capture_output=True, text=True).stdout.strip()


def unsatisfied(depends):
    """The alternatives of a Depends field none of which the oldest system has in the wanted version."""
    return [each.strip() for each in depends.split(",") if not any(_is_there(choice.strip()) for choice in each.split("|"))]


def _is_there(choice):
    match = re.fullmatch(r"(\S+)(?: \((\S+) (\S+)\))?", choice)
    name, relation, version = match.groups()
    if name not in OLDEST_SYSTEM:
        return False
    if not relation:
        return True
    compared = ["dpkg", "--compare-versions", OLDEST_SYSTEM[name], {">=": "ge", "<=": "le", "=": "eq"}[relation], version]
    return subprocess.run(compared, check=False).returncode == 0


class Contents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not built_packages():
            raise AssertionError("no packages in build/packages; scripts/build-packages makes them")

    def for_each_package(self):
        for package in built_packages():
            with self.subTest(package=package.name):
                yield package

    def test_file_lists_are_the_expected_ones(self):
        for package in self.for_each_package():
            listed = subprocess.run(["dpkg-deb", "--contents", package], check=True, capture_output=True, text=True).stdout
            files = sorted(line.split()[5][1:] for line in listed.splitlines() if not line.split()[5].endswith("/"))
            expected = (ROOT / "tests/packages/files" / f"{field(package, 'Package')}.list").read_text().splitlines()
            self.assertEqual(files, expected)

    def test_programs_load_on_the_oldest_system(self):
        for package in self.for_each_package():
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
                programs = [path for path in pathlib.Path(folder).glob("usr/*bin/*") if path.is_file()]
                self.assertTrue(programs)
                self.assertEqual([fault for path in programs for fault in loadable.faults_of_file(str(path))], [])

    def test_programs_are_for_the_machine_the_package_names(self):
        machines = {"amd64": "X86-64", "arm64": "AArch64"}
        for package in self.for_each_package():
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
                for path in pathlib.Path(folder).glob("usr/*bin/*"):
                    header = subprocess.run(["readelf", "-h", path], check=True, capture_output=True, text=True).stdout
                    self.assertIn(machines[field(package, "Architecture")], header)

    def test_the_oldest_system_has_all_they_depend_on(self):
        for package in self.for_each_package():
            self.assertEqual(unsatisfied(field(package, "Depends")), [])

    def test_a_dependency_that_the_oldest_system_lacks_is_found_out(self):
        self.assertEqual(unsatisfied("libc6 (>= 2.36), systemd | sysv-rc"), ["libc6 (>= 2.36)"])
        self.assertEqual(unsatisfied("libc6 (>= 2.34), libfmt9"), ["libfmt9"])

    def test_what_is_run_as_root_in_installing_needs_no_network(self):
        for package in self.for_each_package():
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run(["dpkg-deb", "--control", package, folder], check=True)
                for name in ("preinst", "postinst", "prerm", "postrm"):
                    script = pathlib.Path(folder) / name
                    if script.exists():
                        self.assertNotRegex(script.read_text(), r"\b(curl|wget|apt|apt-get|pip|git|nc)\b", name)

    def test_the_socket_stays_open_in_an_upgrade(self):
        for package in self.for_each_package():
            if field(package, "Package") != "sweetspotd":
                continue
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run(["dpkg-deb", "--control", package, folder], check=True)
                scripts = {path.name: path.read_text() for path in pathlib.Path(folder).iterdir()}
            self.assertRegex(scripts["postinst"], r"_dh_action=restart\b[^}]*?'sweetspotd\.service'")
            self.assertNotRegex(scripts["postinst"], r"restart\S* 'sweetspotd\.socket'|\$_dh_action 'sweetspotd\.socket'")
            self.assertNotIn("preinst", scripts)
            stops = re.findall(r"deb-systemd-invoke stop '(\S+)'", scripts["prerm"])
            self.assertEqual(stops, ["sweetspotd.socket", "sweetspotd.service"])

    def test_lintian_finds_no_error(self):
        checked = subprocess.run(
            ["lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0", *built_packages()],
            check=False,
            capture_output=True,
            text=True,
        )
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)


if __name__ == "__main__":
    counting_main()
