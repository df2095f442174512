# SPDX-License-Identifier: Apache-2.0
"""`systemctl restart` with a running job, under the manager whose store, jobs and bus it depends on."""

from machine import MEMBER, SERVICE, eventually
from scene import CONFIG, FREE, PINNED, MachineTest

RESTORE = "sweetspotd-restore.service"


class Restart(MachineTest):
    def job_ids(self):
        return [job["job_id"] for job in self.status()["jobs"]]

    def limit_writes(self):
        writes = (self.machine.board.root / "writes").read_text(encoding="utf-8")
        return [line for line in writes.splitlines() if "_freq" in line]

    def restart(self):
        pid = self.daemon_pid()
        self.machine.systemctl("restart", SERVICE)
        self.assertNotIn(self.daemon_pid(), (0, pid))

    def test_the_job_goes_on_and_its_clock_is_not_touched(self):
        job = self.start_pinned_job()
        ids = self.job_ids()
        self.machine.board.control("writes clear")
        for _ in range(3):
            self.restart()
            self.assertEqual(self.limits(), PINNED)
            self.assertEqual(self.job_ids(), ids)
        self.assertEqual(self.limit_writes(), [])
        self.assertIsNone(job.poll(), "its client has noticed nothing")
        self.assertEqual(self.machine.show("NFileDescriptorStore"), "0", "nothing is kept that was taken over")
        self.end(job)
        self.until_limits(FREE)
        self.assertIn("lost", self.said())

    def test_the_record_of_a_command_spans_the_restart(self):
        command = ("sweetspot", "--json", "run", "--policy", "fixed", "--freq", "612MHz", "--", "sleep", "4")
        run = self.machine.start(*command, user=MEMBER)
        self.addCleanup(self.end, run)
        self.until_limits(PINNED)
        self.restart()
        self.assertEqual(run.wait(), 0)
        eventually(lambda: self.entries(SWEETSPOT_ENDED_BY="client"))
        (ended,) = self.entries(SWEETSPOT_ENDED_BY="client")
        self.assertGreaterEqual(float(ended["SWEETSPOT_DURATION_S"]), 4)
        self.assertLess(float(ended["SWEETSPOT_COVERAGE"]), 1)
        self.assertGreater(float(ended["SWEETSPOT_ENERGY_J"]), 0)

    def test_a_stop_ends_the_job_and_restores(self):
        self.start_pinned_job()
        self.machine.systemctl("stop", SERVICE)
        self.assertEqual(self.limits(), FREE)
        self.assertTrue(self.entries(SWEETSPOT_ENDED_BY="interrupted"))

    def test_a_stop_after_a_restart_restores(self):
        self.start_pinned_job()
        self.restart()
        self.machine.systemctl("stop", SERVICE)
        self.assertEqual(self.limits(), FREE)

    def test_a_death_after_a_restart_restores(self):
        self.restart_with("[Service]\nRestart=no\n")
        self.start_pinned_job()
        self.restart()
        self.kill_daemon("KILL")
        self.until_limits(FREE)

    def test_a_client_that_dies_in_between_has_lost_its_job(self):
        job = self.start_pinned_job()
        self.drop_in("[Service]\nExecStartPre=/bin/sleep 2\n")
        self.machine.systemctl("restart", "--no-block", SERVICE)
        eventually(lambda: self.machine.show("SubState") == "start-pre")
        self.assertEqual(self.limits(), PINNED)
        self.end(job)
        self.until_limits(FREE)
        eventually(lambda: self.entries(SWEETSPOT_ENDED_BY="lost"))

    def test_a_new_daemon_that_cannot_start_restores(self):
        self.start_pinned_job()
        self.machine.write(CONFIG, "{ no configuration")
        done = self.machine.systemctl("restart", SERVICE, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.until_limits(FREE)

    def test_a_program_that_is_broken_altogether_restores(self):
        self.start_pinned_job()
        self.drop_in("[Service]\nRestart=no\nExecStart=\nExecStart=/bin/false\n")
        self.machine.systemctl("restart", SERVICE, check=False)
        self.until_limits(FREE)

    def test_restarts_beyond_the_start_limit_leave_nothing_pinned(self):
        self.start_pinned_job()
        for _ in range(8):
            if self.machine.systemctl("restart", SERVICE, check=False).returncode != 0:
                break
        self.assertEqual(self.machine.show("Result"), "start-limit-hit")
        self.until_limits(FREE)
        eventually(lambda: self.machine.show("ActiveState", RESTORE) == "inactive")
        self.assertEqual(self.machine.show("Result", RESTORE), "success")

    def test_without_a_store_a_restart_is_a_stop_and_a_start(self):
        self.restart_with("[Service]\nFileDescriptorStoreMax=0\n")
        self.start_pinned_job()
        self.restart()
        self.assertEqual(self.limits(), FREE)
        self.assertEqual(self.job_ids(), [])
        self.assertIn("FileDescriptorStoreMax=", self.said())

    def test_without_a_bus_a_restart_is_a_stop_and_a_start(self):
        self.restart_with("[Service]\nInaccessiblePaths=/run/dbus\n")
        self.start_pinned_job()
        self.restart()
        self.assertEqual(self.limits(), FREE)
        self.assertEqual(self.job_ids(), [])
        self.assertIn("taken for a stop", self.said())
