# SPDX-License-Identifier: Apache-2.0
"""The unit in ordinary life: started by its socket, used by those who may, locked up in its sandbox."""

import json
import re

from machine import MEMBER, OUTSIDER, SERVICE, eventually
from scene import CONFIG, FREE, JOB_HZ, PINNED, MachineTest


class Socket(MachineTest):
    def test_a_client_starts_the_daemon(self):
        self.machine.systemctl("stop", SERVICE)
        self.assertEqual(self.machine.show("ActiveState"), "inactive")
        self.assertEqual(self.status(MEMBER)["jobs"], [])
        eventually(lambda: self.machine.show("ActiveState") == "active")

    def test_a_member_of_the_group_gets_a_pin_to_exactly_the_clock_asked_for(self):
        job = self.start_pinned_job()
        (entry,) = self.status()["jobs"]
        self.assertEqual(entry["decision"]["frequency_hz"], JOB_HZ)
        self.end(job)
        self.until_limits(FREE)

    def test_somebody_else_is_refused_and_told_which_group_to_join(self):
        done = self.machine.run("sweetspot", "status", user=OUTSIDER)
        self.assertEqual(done.returncode, 1)
        self.assertIn("sweetspot-users", done.stderr)

    def test_somebody_elses_training_runs_all_the_same(self):
        done = self.machine.run("sweetspot", "run", "--layers", "24", "--", "echo", "trained", user=OUTSIDER)
        self.assertEqual((done.returncode, done.stdout), (0, "trained\n"))
        self.assertIn("sweetspot-users", done.stderr)

    def test_it_outlives_the_daemon_in_a_folder_of_its_own(self):
        folder = "/run/sweetspotd"
        look = ("stat", "--format=%i %a %U %G", folder, f"{folder}/io.sweetspotd.Governor")
        before = self.machine.run(*look, check=True).stdout
        self.machine.systemctl("restart", SERVICE)
        self.machine.systemctl("stop", SERVICE)
        after = self.machine.run(*look, check=True).stdout
        self.assertEqual(before, after)
        self.assertEqual(self.machine.run("ls", folder).stdout.split(), ["io.sweetspotd.Governor"])
        self.assertRegex(after, r"(?m)^\d+ 660 root sweetspot-users$")


class LeastPrivilege(MachineTest):
    def of_daemon(self, *keys):
        text = self.machine.read(f"/proc/{self.daemon_pid()}/status")
        fields = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
        return [fields[key] for key in keys]

    def in_daemons_mounts(self, script):
        """A shell with the daemon's view of the files and with its user, but outside its system-call filter."""
        enter = ["nsenter", f"--target={self.daemon_pid()}", "--mount", "setpriv", "--reuid=sweetspot", "--regid=sweetspot"]
        return self.machine.run(*enter, "--clear-groups", "sh", "-c", script)

    def test_it_runs_as_its_own_user_in_its_own_group_and_that_of_its_clients(self):
        user = self.machine.run("id", "-u", "sweetspot", check=True).stdout.strip()
        own = self.machine.run("id", "-g", "sweetspot", check=True).stdout.strip()
        clients = self.machine.run("sh", "-c", "getent group sweetspot-users | cut -d: -f3", check=True).stdout.strip()
        users, groups, others = self.of_daemon("Uid", "Gid", "Groups")
        self.assertEqual((set(users.split()), set(groups.split())), ({user}, {clients}))
        self.assertNotEqual(user, "0")
        self.assertLessEqual(set(others.split()), {own, clients})

    def test_it_has_no_capability_and_gets_none(self):
        sets = ("CapEff", "CapPrm", "CapInh", "CapBnd", "CapAmb")
        for name, value in zip(sets, self.of_daemon(*sets)):
            self.assertEqual(int(value, 16), 0, name)
        self.assertEqual(self.of_daemon("NoNewPrivs", "Seccomp"), ["1", "2"])

    def test_it_may_write_two_files_of_the_board(self):
        folders = "/sys/class/devfreq /sys/class/hwmon /sys/class/thermal"
        written = self.in_daemons_mounts(f"find -L {folders} -maxdepth 3 -type f -writable")
        names = sorted(path.rpartition("/")[2] for path in written.stdout.split())
        self.assertEqual(set(names), {"max_freq", "min_freq"}, written.stdout)

    def test_it_can_write_its_own_folders_and_nothing_else(self):
        refused = self.in_daemons_mounts("for d in / /etc /usr /var /run /run/sweetspotd /home; do touch $d/x 2>&1; done")
        self.assertEqual(len(refused.stdout.splitlines()), 7, refused.stdout)
        allowed = self.in_daemons_mounts("for d in /run/sweetspotd-private /var/lib/sweetspotd; do touch $d/x && rm $d/x; done")
        self.assertEqual((allowed.returncode, allowed.stderr), (0, ""))

    def test_even_roots_hand_finds_the_files_read_only_there(self):
        for path in ("/etc/x", "/usr/x", "/var/x", "/sys/kernel/mm/ksm/run", "/proc/sys/kernel/pid_max"):
            done = self.machine.run("nsenter", f"--target={self.daemon_pid()}", "--mount", "sh", "-c", f"echo 0 >> {path}")
            self.assertIn("Read-only file system", done.stderr, path)

    def test_it_has_no_network(self):
        seen = self.machine.run("nsenter", f"--target={self.daemon_pid()}", "--net", "cat", "/proc/net/dev", check=True).stdout
        devices = re.findall(r"^ *(\w+):", seen, re.MULTILINE)
        self.assertEqual(devices, ["lo"])

    def test_the_loaded_unit_is_hardly_exposed(self):
        said = self.machine.run("systemd-analyze", "security", "--no-pager", SERVICE, check=True).stdout
        self.assertLessEqual(float(re.search(r"exposure level for \S+: ([\d.]+)", said).group(1)), 1.0)


class Journal(MachineTest):
    def job_with_record(self):
        """The number of a short job that has ended."""
        options = ("--name", "short", "--policy", "fixed", "--freq", str(JOB_HZ))
        self.machine.run("sweetspot", "run", *options, "--", "sleep", "0.5", user=MEMBER, check=True)
        return eventually(lambda: [entry for entry in self.entries() if "SWEETSPOT_ENERGY_J" in entry])[0]

    def test_the_end_of_a_job_carries_its_record(self):
        entry = self.job_with_record()
        self.assertEqual((entry["SWEETSPOT_NAME"], entry["_SYSTEMD_UNIT"]), ("short", SERVICE))
        self.assertGreater(float(entry["SWEETSPOT_ENERGY_J"]), 0)
        of_job = self.entries(SWEETSPOT_JOB_ID=entry["SWEETSPOT_JOB_ID"])
        self.assertGreaterEqual(len(of_job), 2)

    def test_the_catalog_explains_an_entry(self):
        number = self.job_with_record()["SWEETSPOT_JOB_ID"]
        said = self.machine.run("journalctl", f"--after-cursor={self.since}", "-x", "--no-pager").stdout
        self.assertIn("A training job asked the daemon for a GPU clock.", said)
        self.assertIn(f"Job {number} ended (client)", said)
        self.assertIn("min_freq and max_freq of the GPU's devfreq node hold the clock", said)


class Doctor(MachineTest):
    def test_root_and_members_find_all_in_order(self):
        for user in (None, MEMBER):
            done = self.machine.run("sweetspot", "doctor", user=user)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertNotIn("fail ", done.stdout)
        self.assertEqual(self.limits(), FREE)

    def test_somebody_else_learns_how_to_join(self):
        done = self.machine.run("sweetspot", "doctor", user=OUTSIDER)
        self.assertEqual(done.returncode, 1)
        self.assertIn("usermod -aG sweetspot-users", done.stdout)


class Reload(MachineTest):
    def test_a_new_configuration_holds_at_once(self):
        pid = self.daemon_pid()
        self.machine.write(CONFIG, json.dumps({"policy": "ffg", "ffg_clock": "510MHz"}))
        self.machine.systemctl("reload", SERVICE)
        eventually(lambda: self.status()["settings"]["policy"] == "ffg")
        self.assertEqual(self.daemon_pid(), pid)

    def test_a_mistake_is_refused_and_the_old_one_stays(self):
        self.machine.write(CONFIG, '{"polcy": "ffg"}')
        done = self.machine.systemctl("reload", SERVICE, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(self.machine.show("ActiveState"), "active")
        self.assertIn("polcy", self.said())
        self.assertEqual(self.status()["settings"]["policy"], "mlg")

    def test_a_running_job_keeps_its_clock(self):
        self.start_pinned_job()
        self.machine.systemctl("reload", SERVICE)
        self.assertEqual(len(self.status()["jobs"]), 1)
        self.assertEqual(self.limits(), PINNED)


class History(MachineTest):
    def job_that_ended(self):
        self.machine.run("sweetspot", "run", "--name", "short", "--policy", "none", "--", "sleep", "0.5", user=MEMBER, check=True)
        return eventually(self.kept)

    def kept(self):
        """The jobs of that name as JSON, or nothing while there is none."""
        done = self.machine.run("sweetspot", "jobs", "--json", "--name", "short", user=MEMBER)
        return done.stdout if '"short"' in done.stdout else ""

    def test_a_member_reads_the_jobs_that_the_sandboxed_daemon_kept(self):
        jobs = json.loads(self.job_that_ended())["jobs"]
        self.assertGreater(jobs[-1]["record"]["energy_j"], 0)
        self.assertEqual(self.status(MEMBER)["health"], [])

    def test_it_is_read_without_the_daemon_and_goes_on_after_a_restart(self):
        self.job_that_ended()
        self.machine.systemctl("stop", SERVICE)
        before = len(json.loads(self.kept())["jobs"])
        self.machine.systemctl("start", SERVICE)
        self.job_that_ended()
        eventually(lambda: len(json.loads(self.kept())["jobs"]) == before + 1)

    def test_somebody_else_is_told_who_may_read_it(self):
        self.job_that_ended()
        done = self.machine.run("sweetspot", "jobs", user=OUTSIDER)
        self.assertEqual(done.returncode, 1)
        self.assertIn("sweetspot-users", done.stderr)

    def test_its_files_are_the_daemons_and_for_its_clients_to_read(self):
        self.job_that_ended()
        folder = "/var/lib/sweetspotd"
        look = ("stat", "--format=%a %U %G", folder, *(f"{folder}/history.db{end}" for end in ("", "-wal", "-shm")))
        said = self.machine.run(*look, check=True).stdout.splitlines()
        self.assertEqual(said, ["750 sweetspot sweetspot-users", *["640 sweetspot sweetspot-users"] * 3])
