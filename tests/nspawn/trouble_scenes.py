# SPDX-License-Identifier: Apache-2.0
"""What goes wrong: deaths of the daemon, and machines that are not as they should be."""

import time

from machine import MEMBER, SERVICE, SOCKET, eventually
from scene import CONFIG, FREE, PINNED, MachineTest

NO_RESTART = "[Service]\nRestart=no\n"


class Deaths(MachineTest):
    """Each with a clock pinned, and with nobody but systemd to give it back."""

    def test_stop_gives_the_clock_back_and_leaves_the_training_alone(self):
        job = self.start_pinned_job()
        self.machine.systemctl("stop", SERVICE)
        self.assertEqual(self.limits(), FREE)
        self.assertEqual(self.machine.show("Result"), "success")
        self.assertIsNone(job.poll())

    def test_after_sigkill_execstoppost_restores(self):
        self.restart_with(NO_RESTART)
        self.start_pinned_job()
        self.kill_daemon("KILL")
        self.until_limits(FREE)
        eventually(lambda: self.machine.show("Result") == "signal")
        self.assertIn("max_freq restored", self.said())
        self.assertEqual(self.machine.show("ExecMainStatus"), "9")

    def test_after_sigkill_it_is_started_again_and_names_the_job_that_was_lost(self):
        self.start_pinned_job()
        pid = self.daemon_pid()
        self.kill_daemon("KILL")
        self.until_limits(FREE)
        eventually(lambda: self.daemon_pid() not in (0, pid))
        self.assertEqual(self.machine.show("NRestarts"), "1")
        eventually(lambda: self.entries(SWEETSPOT_ENDED_BY="lost"))

    def test_a_daemon_that_hangs_is_killed_by_the_watchdog_and_restored(self):
        self.restart_with(f"{NO_RESTART}WatchdogSec=2\n")
        self.start_pinned_job()
        self.kill_daemon("STOP")
        self.until_limits(FREE)
        eventually(lambda: self.machine.show("ActiveState") == "failed")
        self.assertEqual(self.machine.show("Result"), "watchdog")

    def test_the_watchdog_leaves_a_daemon_that_works_alone(self):
        self.restart_with(f"{NO_RESTART}WatchdogSec=1\n")
        pid = self.daemon_pid()
        began = time.monotonic()
        eventually(lambda: time.monotonic() - began > 3)
        self.assertEqual(self.daemon_pid(), pid)

    def test_when_it_died_too_often_nothing_is_left_pinned(self):
        self.restart_with("[Service]\nRestartSec=100ms\n[Unit]\nStartLimitIntervalSec=1h\n")
        for _ in range(10):
            if self.machine.show("ActiveState") == "failed":
                break
            job = self.start_pinned_job()
            pid = self.daemon_pid()
            self.kill_daemon("KILL")
            eventually(lambda: self.machine.show("ActiveState") == "failed" or self.daemon_pid() not in (0, pid))
            self.end(job)
        self.assertIn(self.machine.show("Result"), ("start-limit-hit", "signal"))
        self.assertEqual(self.machine.show("ActiveState"), "failed")
        self.assertEqual(self.limits(), FREE)

    def test_a_client_of_a_daemon_that_is_given_up_trains_all_the_same(self):
        self.drop_in("[Service]\nRestart=no\nExecStart=\nExecStart=/bin/false\n")
        self.machine.systemctl("restart", SERVICE, check=False)
        done = self.machine.run("sweetspot", "run", "--layers", "24", "--", "echo", "trained", user=MEMBER)
        self.assertEqual((done.returncode, done.stdout), (0, "trained\n"))

    def test_restore_by_roots_hand_works_in_the_daemons_folder(self):
        self.restart_with(f"{NO_RESTART}ExecStopPost=\n")
        self.start_pinned_job()
        self.kill_daemon("KILL")
        eventually(lambda: self.machine.show("ActiveState") == "failed")
        self.assertEqual(self.limits(), PINNED)
        said = self.machine.run("sweetspotd", "--restore", check=True).stdout
        self.assertIn("max_freq restored", said)
        self.assertEqual(self.limits(), FREE)
        self.machine.systemctl("start", SERVICE)


class Trouble(MachineTest):
    def status_text(self):
        return self.machine.run("systemctl", "status", "--no-pager", "--full", SERVICE).stdout

    def test_a_bad_configuration_is_named_with_its_place(self):
        self.machine.write(CONFIG, '{"sampling": {"period_ms": "often"}}')
        done = self.machine.systemctl("restart", SERVICE, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(self.status_text(), r'Status: ".*/etc/sweetspotd/config\.json.*sampling.*period_ms')

    def test_a_configuration_that_it_may_not_read_is_named(self):
        self.machine.write(CONFIG, "{}")
        self.machine.run("chmod", "0600", CONFIG, check=True)
        self.machine.systemctl("restart", SERVICE, check=False)
        self.assertRegex(self.status_text(), r'Status: "open /etc/sweetspotd/config\.json: Permission denied')

    def test_without_a_gpu_node_it_waits_and_says_so(self):
        self.machine.board.control("gpu vanish")
        self.addCleanup(self.machine.board.control, "gpu appear")
        self.machine.systemctl("restart", SERVICE)
        self.assertEqual(self.machine.show("ActiveState"), "active")
        self.assertEqual(self.status()["clock"]["condition"], "no_gpu")
        self.assertRegex(self.status_text(), r'Status: ".*no_gpu')

    def test_a_node_that_comes_late_is_pinned_once_its_files_were_handed_over(self):
        self.machine.board.control("gpu vanish")
        self.addCleanup(self.machine.board.control, "gpu appear")
        self.machine.systemctl("restart", SERVICE)
        job = self.start_job()
        eventually(lambda: self.status()["jobs"])
        self.machine.board.control("gpu appear")
        eventually(lambda: self.status()["clock"]["condition"] in ("pending", "failing"))
        self.machine.run("sweetspotd", "--grant-access", "sweetspot", check=True)
        self.until_limits(PINNED)
        self.end(job)

    def test_a_read_only_sys_is_named_with_what_to_do(self):
        self.restart_with("[Service]\nReadWritePaths=\n")
        self.start_job()
        eventually(lambda: "clock" in self.health())
        self.assertIn("Read-only file system", self.health()["clock"])
        self.assertIn("/sys has to be mounted writable", self.status_text())

    def test_files_that_were_not_handed_over_are_named_with_what_to_do(self):
        self.drop_in("[Service]\nExecStartPre=\n")
        self.machine.run("sh", "-c", "chgrp root /sys/class/devfreq/*gpu/m??_freq", check=True)
        self.machine.systemctl("restart", SERVICE)
        self.start_job()
        eventually(lambda: "clock" in self.health())
        self.assertIn("sweetspotd --grant-access sweetspot", self.health()["clock"])

    def test_a_missing_clients_group_is_named(self):
        self.machine.run("groupmod", "--new-name", "others", "sweetspot-users", check=True)
        self.addCleanup(self.machine.run, "groupmod", "--new-name", "sweetspot-users", "others", check=True)
        self.machine.systemctl("stop", SERVICE, SOCKET)
        done = self.machine.systemctl("start", SOCKET, check=False)
        self.assertNotEqual(done.returncode, 0)
        entries = self.machine.run("journalctl", f"--after-cursor={self.since}", "--no-pager", "-u", SOCKET).stdout
        self.assertIn("sweetspot-users", entries)
