# SPDX-License-Identifier: Apache-2.0
"""Installing, upgrading, removing and purging the packages in a fresh minimal Debian 12, where no systemd runs: what is there
afterwards, and what is not. scripts/test-packages runs this; what happens to a running service is tests/nspawn's."""

import pathlib
import subprocess
import tempfile
import unittest

from cases import PACKAGES, counting_main

from debian_root import PRISTINE, DebianRoot, NotPossible, make_pristine, newer

MACHINE = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True).stdout.strip()
ENABLED = (
    "/etc/systemd/system/multi-user.target.wants/sweetspotd.service",
    "/etc/systemd/system/sockets.target.wants/sweetspotd.socket",
)
CONFIG = '{"policy": "ffg"}\n'
# Debian's custom: accounts stay, because files that belong to them may.
ACCOUNTS = {"sweetspot", "sweetspot-users"}


def package(name):
    found = sorted(PACKAGES.glob(f"{name}_*_{MACHINE}.deb"))
    if not found:
        raise AssertionError(f"no {name} for {MACHINE} in build/packages; scripts/build-packages makes it")
    return found[-1]


class WithPackages(unittest.TestCase):
    """`bare` is a root with what the packages depend on, `installed` has the packages too."""

    @classmethod
    def setUpClass(cls):
        cls.packages = [package("sweetspotd"), package("sweetspotd-sim")]
        try:
            make_pristine()
        except NotPossible as reason:
            raise unittest.SkipTest(str(reason)) from None
        if not hasattr(WithPackages, "bare"):
            WithPackages.make_roots(cls.packages)

    @classmethod
    def make_roots(cls, packages):
        """Once for all classes of this file."""
        cls.scratch = tempfile.TemporaryDirectory(prefix="life-", dir=PACKAGES)
        unittest.addModuleCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.bare = DebianRoot.copy_of(PRISTINE, cls.folder / "bare")
        cls.bare.install_dependencies_of(packages)
        cls.installed = DebianRoot.copy_of(cls.bare.folder, cls.folder / "installed")
        cls.installed.dpkg("--install", *packages)


class Installed(WithPackages):
    """What installing leaves. These tests change nothing."""

    @property
    def root(self):
        return self.installed

    def test_installed_programs_run(self):
        self.assertRegex(self.root.run("sweetspotd", "--version").stdout, r"^sweetspotd \d")
        explained = self.root.run("sweetspot", "explain", "--layers", "24", "--seq-len", "14", "--board", "agx-orin-64-jp6")
        self.assertIn("714", explained.stdout)
        self.assertIn("agx-orin-64-jp6", self.root.run("sweetspot-sim", "boards").stdout)

    def test_the_shipped_example_is_a_good_configuration(self):
        example = "/usr/share/doc/sweetspotd/examples/config.json"
        self.assertIn("good", self.root.run("sweetspotd", "--check-config", "--config", example).stdout)

    def test_without_a_configuration_the_defaults_hold(self):
        self.assertFalse(self.root.has("/etc/sweetspotd/config.json"))
        self.assertIn("defaults", self.root.run("sweetspotd", "--check-config").stdout)

    def test_the_daemon_has_a_user_that_cannot_log_in_and_clients_a_group_of_their_own(self):
        fields = self.root.run("getent", "passwd", "sweetspot").stdout.strip().split(":")
        self.assertEqual(fields[6], "/usr/sbin/nologin")
        members = self.root.run("getent", "group", "sweetspot-users").stdout.strip().split(":")[3]
        self.assertEqual(members, "")

    def test_service_and_socket_are_enabled(self):
        for link in ENABLED:
            self.assertTrue(self.root.has(link), link)

    def test_the_units_name_the_installed_program(self):
        service = self.root.read("/lib/systemd/system/sweetspotd.service")
        self.assertIn("ExecStart=/usr/sbin/sweetspotd\n", service)

    def test_the_journal_knows_the_catalog(self):
        shown = self.root.run("journalctl", "--dump-catalog", "9fbd8d8e25ac4c0c992db0e173ca0f5b").stdout
        self.assertIn("Defined-By: sweetspotd", shown)

    def test_installed_files_are_as_packed(self):
        self.assertEqual(self.root.run("dpkg", "--verify", "sweetspotd", "sweetspotd-sim").stdout, "")

    def test_configuring_again_changes_nothing(self):
        before = self.root.paths()
        self.root.run("/var/lib/dpkg/info/sweetspotd.postinst", "configure", "")
        self.assertEqual(self.root.paths(), before)


class Changed(WithPackages):
    """Each test has a root of its own, in which the packages are installed."""

    def setUp(self):
        self.root = DebianRoot.copy_of(self.installed.folder, self.folder / "root")

    def account_names(self):
        return {line.split(":")[0] for name in ("passwd", "group") for line in self.root.read(f"/etc/{name}").splitlines()}

    def test_an_upgrade_keeps_configuration_history_and_what_the_administrator_disabled(self):
        self.root.write("/etc/sweetspotd/config.json", CONFIG)
        self.root.write("/var/lib/sweetspotd/history", "kept")
        self.root.run("systemctl", "disable", "sweetspotd.service", "sweetspotd.socket")
        self.root.dpkg("--install", newer(self.packages[0], self.folder))
        self.assertEqual(self.root.read("/etc/sweetspotd/config.json"), CONFIG)
        self.assertEqual(self.root.read("/var/lib/sweetspotd/history"), "kept")
        self.assertEqual([link for link in ENABLED if self.root.has(link)], [])
        self.assertIn("+1", self.root.run("dpkg-query", "--show", "sweetspotd").stdout)

    def test_removing_leaves_configuration_and_history_alone(self):
        self.root.write("/etc/sweetspotd/config.json", CONFIG)
        self.root.write("/var/lib/sweetspotd/history", "kept")
        self.root.write("/run/sweetspotd/io.sweetspotd.Governor", "")
        self.root.dpkg("--remove", "sweetspotd")
        for path in ("/usr/sbin/sweetspotd", "/lib/systemd/system/sweetspotd.service", "/run/sweetspotd/io.sweetspotd.Governor"):
            self.assertFalse(self.root.has(path), path)
        self.assertTrue(self.root.has("/etc/sweetspotd/config.json"))
        self.assertTrue(self.root.has("/var/lib/sweetspotd/history"))

    def test_purging_leaves_nothing_but_the_accounts(self):
        self.root.write("/etc/sweetspotd/config.json", CONFIG)
        self.root.write("/etc/sweetspotd/tree.json", "{}")
        self.root.write("/var/lib/sweetspotd/history", "gone")
        self.root.write("/run/sweetspotd/io.sweetspotd.Governor", "")
        self.root.write("/run/sweetspotd-private/saved-clock", "gone")
        accounts = self.account_names()
        self.root.dpkg("--purge", "sweetspotd", "sweetspotd-sim")
        self.assertEqual(sorted(self.root.paths() - self.bare.paths()), self.left_by_account_tools())
        self.assertEqual(self.account_names(), accounts)
        self.assertLessEqual(ACCOUNTS, accounts)

    def left_by_account_tools(self):
        """The copies that systemd-sysusers keeps of the account files it changes."""
        copies = {"etc/passwd-", "etc/group-", "etc/shadow-", "etc/gshadow-"}
        return sorted(copies & (self.root.paths() - self.bare.paths()))

    def test_what_was_purged_can_be_installed_again(self):
        self.root.dpkg("--purge", "sweetspotd")
        self.root.dpkg("--install", self.packages[0])
        self.assertTrue(all(self.root.has(link) for link in ENABLED))

    def test_removing_and_installing_again_keeps_what_the_administrator_disabled(self):
        self.root.run("systemctl", "disable", "sweetspotd.service", "sweetspotd.socket")
        self.root.dpkg("--remove", "sweetspotd")
        self.root.dpkg("--install", self.packages[0])
        self.assertEqual([link for link in ENABLED if self.root.has(link)], [])


if __name__ == "__main__":
    counting_main()
