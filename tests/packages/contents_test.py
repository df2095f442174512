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
    "libsqlite3-0": "3.37.2-2",
    "libstdc++6": "12-20220319-1ubuntu1",
    "libsystemd0": "249.11-0ubuntu3",
    "procps": "2:3.3.17-6ubuntu2",
    "systemd": "249.11-0ubuntu3",
}


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Package:
    """A built package, unpacked below `folder`."""

    def __init__(self, path, folder):
        self.path = path
        self.tree = pathlib.Path(folder) / path.stem
        self.control = pathlib.Path(folder) / f"{path.stem}.control"
        output_of("dpkg-deb", "--extract", path, self.tree)
        output_of("dpkg-deb", "--control", path, self.control)

    def field(self, name):
        return output_of("dpkg-deb", "--field", self.path, name).strip()

    def files(self):
        return sorted(f"/{path.relative_to(self.tree)}" for path in self.tree.rglob("*") if not path.is_dir())

    def programs(self):
        return sorted([*self.tree.glob("usr/*bin/*"), *self.tree.glob("usr/libexec/*/*")])

    def scripts(self):
        """Name of each maintainer script and its text."""
        names = ("preinst", "postinst", "prerm", "postrm")
        return {name: (self.control / name).read_text() for name in names if (self.control / name).exists()}


def expected_files(name):
    """Those of the package's list, and every document that is meant for its readers."""
    listed = (ROOT / "tests/packages/files" / f"{name}.list").read_text().splitlines()
    return sorted([*listed, *(documents() if name == "sweetspotd" else [])])


def documents():
    names = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*") if path.is_file()]
    return [f"/usr/share/doc/sweetspotd/docs/{name}" for name in names if name.parts[0] not in ("man", "decisions")]


def unsatisfied(depends):
    """The alternatives of a Depends field none of which the oldest system has in the wanted version."""
    return [each.strip() for each in depends.split(",") if not any(_is_there(choice.strip()) for choice in each.split("|"))]


def _is_there(choice):
    name, relation, version = re.fullmatch(r"(\S+)(?: \((\S+) (\S+)\))?", choice).groups()
    if name not in OLDEST_SYSTEM:
        return False
    if not relation:
        return True
    compared = ["dpkg", "--compare-versions", OLDEST_SYSTEM[name], relation, version]
    return subprocess.run(compared, check=False).returncode == 0


class Contents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="contents-")
        cls.addClassCleanup(folder.cleanup)
        built = sorted(path for path in PACKAGES.glob("*.deb") if "dbgsym" not in path.name)
        cls.packages = [Package(path, folder.name) for path in built]
        if not built:
            raise AssertionError("no packages in build/packages; scripts/build-packages makes them")

    def test_each_machine_has_both(self):
        names = {(package.field("Architecture"), package.field("Package")) for package in self.packages}
        machines = {machine for machine, _ in names}
        self.assertEqual(names, {(machine, name) for machine in machines for name in ("sweetspotd", "sweetspotd-sim")})

    def test_file_lists_are_the_expected_ones(self):
        for package in self.packages:
            with self.subTest(package.path.name):
                self.assertEqual(package.files(), expected_files(package.field("Package")))

    def test_programs_load_on_the_oldest_system(self):
        for package in self.packages:
            self.assertTrue(package.programs())
            self.assertEqual([fault for path in package.programs() for fault in loadable.faults_of_file(str(path))], [])

    def test_programs_are_for_the_machine_the_package_names(self):
        machines = {"amd64": "X86-64", "arm64": "AArch64"}
        for package in self.packages:
            for path in package.programs():
                self.assertIn(machines[package.field("Architecture")], output_of("readelf", "--file-header", path), path)

    def test_the_oldest_system_has_all_they_depend_on(self):
        for package in self.packages:
            self.assertEqual(unsatisfied(package.field("Depends")), [], package.path.name)

    def test_a_dependency_that_the_oldest_system_lacks_is_found_out(self):
        self.assertEqual(unsatisfied("libc6 (>= 2.36), systemd | sysv-rc"), ["libc6 (>= 2.36)"])
        self.assertEqual(unsatisfied("libc6 (>= 2.34), libfmt9"), ["libfmt9"])

    def test_what_is_run_as_root_in_installing_needs_no_network(self):
        for package in self.packages:
            for name, text in package.scripts().items():
                self.assertNotRegex(text, r"\b(curl|wget|apt|apt-get|pip|git|nc)\b", name)

    def test_an_upgrade_restarts_the_daemon_and_leaves_the_socket_open(self):
        for scripts in self.scripts_of_the_service():
            self.assertRegex(scripts["postinst"], r"_dh_action=restart\b[^}]*?\$_dh_action 'sweetspotd\.service'")
            self.assertNotRegex(scripts["postinst"], r"(restart|_dh_action) 'sweetspotd\.socket'")
            self.assertNotIn("preinst", scripts)

    def test_removing_stops_the_socket_before_the_service_which_it_would_start_again(self):
        for scripts in self.scripts_of_the_service():
            stops = re.findall(r"deb-systemd-invoke stop '(\S+)'", scripts["prerm"])
            self.assertEqual(stops, ["sweetspotd.socket", "sweetspotd.service"])

    def scripts_of_the_service(self):
        found = [package.scripts() for package in self.packages if package.field("Package") == "sweetspotd"]
        self.assertTrue(found)
        return found

    def test_lintian_has_nothing_to_say(self):
        command = ["lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0"]
        checked = subprocess.run(
            [*command, *(package.path for package in self.packages)], check=False, capture_output=True, text=True
        )
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)


if __name__ == "__main__":
    counting_main()
