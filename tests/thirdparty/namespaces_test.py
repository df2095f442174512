# SPDX-License-Identifier: Apache-2.0
"""Clients in namespaces of their own, as in a container. Usage: namespaces_test.py [TestCase]…   Exit status 77: skipped."""

import json
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from governed_board import INTERFACE, PATIENCE_S, BoardTest, eventually, main  # noqa: E402

DEBERTA = {"layers": 24, "mean_sequence_length": 14}
# A user, a pid and a mount namespace, root in there, with a /proc that fits.
UNSHARE = ["unshare", "-Urpf", "--mount-proc"]
# The first process in there lives on until its stdin ends, so that nothing dies because the client did.
INSIDE = 'mount --bind "$1" "$2" && { "$3" -B "$4" "$2/$5"; cat; }'
client = pathlib.Path(__file__).with_name("namespaced_client.py")


def not_permitted():
    try:
        end = subprocess.run([*UNSHARE, "true"], capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    except FileNotFoundError:
        return "no unshare, which makes namespaces"
    return None if end.returncode == 0 else f"no namespaces may be made here: {end.stderr.strip()}"


reason = not_permitted()


@unittest.skipIf(reason, reason or "")
class ClientInNamespaces(BoardTest):
    def setUp(self):
        super().setUp()
        mounted = self.folder / "mounted"
        mounted.mkdir()
        command = [*UNSHARE, "--kill-child", "sh", "-c", INSIDE, "sh"]
        command += [self.daemon.socket.parent, mounted, sys.executable, client, INTERFACE]
        container = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.container = self.end_with_test(container)

    def order(self, line):
        self.container.stdin.write(line + "\n")
        self.container.stdin.flush()

    def answer(self, line):
        self.order(line)
        return json.loads(self.container.stdout.readline())

    def start(self, **spec):
        return self.answer("start " + json.dumps(spec))

    def test_a_job_starts_over_the_mounted_directory(self):
        started = self.start(**DEBERTA)
        self.assertEqual(started["reply"]["parameters"]["decision"]["frequency_hz"], 714_000_000)
        job = self.daemon.jobs()[0]
        self.assertRegex(job["comm"], "^python")
        self.assertEqual(self.pids_of(job["pid"]), [job["pid"], started["pid"]])
        eventually(lambda: self.board.gpu_limits_hz() == (714_000_000, 714_000_000))

    @staticmethod
    def pids_of(pid):
        """What a process is called, from the outermost namespace to its own."""
        status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        line = next(line for line in status.splitlines() if line.startswith("NSpid:"))
        return [int(number) for number in line.split()[1:]]

    def test_its_job_ends_with_the_connection_while_the_process_lives(self):
        self.start(**DEBERTA)
        pid = self.daemon.jobs()[0]["pid"]
        self.answer("hang-up")
        eventually(lambda: not self.daemon.jobs())
        self.assertTrue(pathlib.Path(f"/proc/{pid}").exists())

    def test_its_job_ends_with_the_process_while_a_child_holds_the_connection(self):
        self.start(**DEBERTA)
        self.order("leave-heir")
        eventually(lambda: not self.daemon.jobs())
        self.assertEqual(self.daemon.status()["connections"], 2)  # the heir's, and the one that asks

    def test_its_job_ends_with_the_container(self):
        found = self.board.gpu_limits_hz()
        self.start(**DEBERTA)
        eventually(lambda: self.board.gpu_limits_hz() == (714_000_000, 714_000_000))
        self.container.kill()
        eventually(lambda: not self.daemon.jobs() and self.board.gpu_limits_hz() == found)

    def test_naming_a_pid_is_refused_for_its_numbers_mean_others_outside(self):
        refused = self.start(pid=1)["reply"]
        self.assertEqual(refused["error"], f"{INTERFACE}.InvalidSpec")
        self.assertEqual(refused["parameters"]["field"], "pid")
        self.assertIn("container", refused["parameters"]["expected"])
        self.assertEqual(self.daemon.jobs(), [])


@unittest.skipIf(reason, reason or "")
class DaemonInNamespaces(BoardTest):
    """A caller outside the daemon's pid namespace has no number in it: its pid reads 0."""

    daemon_wrapper = [*UNSHARE, "--kill-child"]

    def test_the_job_of_a_caller_it_cannot_see_is_held_by_the_connection_alone(self):
        with self.daemon.connect() as connection:
            reply = connection.call("StartJob", {"spec": DEBERTA})
            self.assertEqual(reply["parameters"]["decision"]["frequency_hz"], 714_000_000)
            job = self.daemon.jobs()[0]
            self.assertEqual((job["pid"], job["comm"]), (0, ""))
        eventually(lambda: not self.daemon.jobs())

    def test_a_caller_it_cannot_see_may_name_no_pid(self):
        with self.daemon.connect() as connection:
            refused = connection.call("StartJob", {"spec": {"pid": 1}})
        self.assertEqual(refused["error"], f"{INTERFACE}.InvalidSpec")
        self.assertEqual(refused["parameters"]["field"], "pid")


if __name__ == "__main__":
    main()
