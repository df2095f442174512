# SPDX-License-Identifier: Apache-2.0
"""The Python client as it runs in a container, by the recipe of docs/tutorials/containers.md: the socket's directory mounted, the
group added, in user, pid and mount namespaces of its own. Exit status 77: skipped, with the reason.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from support import DEEP, FREE_HZ, PINNED_HZ, ROOT, DaemonTest, governed_board

eventually = governed_board.eventually
# One that every user may run; the one that runs the tests may be somebody's own.
PYTHON = shutil.which("python3", path="/usr/bin:/bin") or sys.executable
NAMESPACES = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc"]
USER = 65534  # somebody without a group of ours
GROUP = 64_242  # any number that no group of the machine has
# Mounts the directory where the service has it outside, as `docker run --volume` does, and starts the script in there.
INSIDE = 'mount -t tmpfs none /run && mkdir /run/sweetspotd && mount --bind "$0" /run/sweetspotd && exec "$@"'
SCRIPT = f"""
import json, os, sys, sweetspotd
with sweetspotd.job(**{DEEP!r}) as job:
    print(json.dumps({{"job": job.id, "pid": os.getpid(), "uid": os.getuid()}}), flush=True)
    for line in sys.stdin:
        job.progress(int(line))
print(json.dumps(job.wait_for_record(60)), flush=True)
"""


def not_permitted():
    try:
        end = subprocess.run([*NAMESPACES, "true"], capture_output=True, text=True, check=False, timeout=governed_board.PATIENCE_S)
    except FileNotFoundError:
        return "no unshare, which makes namespaces"
    return None if end.returncode == 0 else f"no namespaces may be made here: {end.stderr.strip()}"


reason = not_permitted()


class ContainerTest(DaemonTest):
    def setUp(self):
        super().setUp()
        # Where every user can read it.
        shutil.copytree(ROOT / "python/src/sweetspotd", self.folder / "package/sweetspotd")
        self.environment = {**os.environ, "PYTHONPATH": str(self.folder / "package"), "PYTHONDONTWRITEBYTECODE": "1"}
        self.environment.pop("SWEETSPOT_SOCKET")  # in the container it is where every client looks for it

    def start(self, *as_whom):
        """The script in namespaces of its own; `as_whom`: a command that becomes that user first."""
        command = [*as_whom, *NAMESPACES, "sh", "-c", INSIDE, self.daemon.socket.parent, PYTHON, "-c", SCRIPT]
        pipes = {name: subprocess.PIPE for name in ("stdin", "stdout", "stderr")}
        process = self.end_with_test(subprocess.Popen(command, env=self.environment, text=True, cwd="/", **pipes))
        self.addCleanup(process.stderr.close)
        return process


@unittest.skipIf(reason, reason or "")
class InAContainer(ContainerTest):
    def test_who_calls_is_the_kernels_word_not_the_containers(self):
        container = self.start()
        said = json.loads(container.stdout.readline())
        job = self.daemon.jobs()[0]
        self.assertEqual((said["uid"], job["uid"]), (0, os.getuid()))
        self.assertEqual(said["job"], job["job_id"])
        status = pathlib.Path(f"/proc/{job['pid']}/status").read_text(encoding="utf-8")
        numbers = next(line.split()[1:] for line in status.splitlines() if line.startswith("NSpid:"))
        self.assertEqual(numbers, [str(job["pid"]), str(said["pid"])])

    def test_a_job_has_its_clock_its_steps_and_its_record(self):
        container = self.start()
        container.stdout.readline()
        self.assert_limits(PINNED_HZ)
        printed, complaints = container.communicate("12\n")
        record = json.loads(printed)
        self.assertEqual((record["steps"], record["ended_by"], complaints), (12, "client", ""))
        self.assert_limits(FREE_HZ)

    def test_a_container_that_is_killed_gives_the_clock_back(self):
        container = self.start()
        container.stdout.readline()
        self.assert_limits(PINNED_HZ)
        container.kill()
        self.assert_limits(FREE_HZ)


@unittest.skipIf(reason, reason or "")
@unittest.skipIf(os.geteuid() != 0, "only root can become a user with and without the group")
class OfAGroup(ContainerTest):
    """The socket as the package installs it: root's, and its group's."""

    def setUp(self):
        super().setUp()
        os.chown(self.daemon.socket, 0, GROUP)
        os.chmod(self.daemon.socket, 0o660)

    def start_as_user(self, *groups):
        return self.start("setpriv", f"--reuid={USER}", f"--regid={USER}", *groups)

    def test_a_member_starts_a_job_as_itself(self):
        container = self.start_as_user(f"--groups={GROUP}")
        said = json.loads(container.stdout.readline())
        self.assertEqual((said["uid"], self.daemon.jobs()[0]["uid"]), (0, USER))

    def test_who_is_no_member_is_told_the_group_and_the_command_and_trains_on(self):
        printed, complaints = self.start_as_user("--clear-groups").communicate("3\n")
        self.assertIsNone(json.loads(printed.splitlines()[0])["job"])
        self.assertEqual(printed.splitlines()[1], "null")
        self.assertEqual(len(complaints.splitlines()), 1)
        self.assertIn("members of the group sweetspot-users: `sudo usermod -aG sweetspot-users $USER`", complaints)
        self.assertEqual(self.daemon.jobs(), [])

    def test_root_in_the_container_of_a_user_is_not_root(self):
        container = self.start_as_user(f"--groups={GROUP}")
        container.stdout.readline()
        with self.daemon.connect() as root:
            foreign = root.call("StartJob", {"spec": {}})["parameters"]["job_id"]
            script = f"import sweetspotd\nsweetspotd.Client({str(self.daemon.socket)!r}).end_job({foreign})"
            as_user = ["setpriv", f"--reuid={USER}", f"--regid={USER}", f"--groups={GROUP}", *NAMESPACES]
            command = [*as_user, PYTHON, "-c", script]
            end = subprocess.run(command, env=self.environment, cwd="/", capture_output=True, text=True, check=False)
            self.assertIn("NotYourJob", end.stderr)


@unittest.skipIf(reason, reason or "")
class SeenFromAnotherNamespace(DaemonTest):
    """The daemon in a pid namespace of its own has no number for its callers: their pid reads 0."""

    daemon_wrapper = NAMESPACES

    def test_a_job_is_held_by_its_connection_alone(self):
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python/src")}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        script = self.end_with_test(subprocess.Popen([sys.executable, "-B", "-c", SCRIPT], env=environment, text=True, **pipes))
        script.stdout.readline()
        self.assertEqual([(job["pid"], job["comm"]) for job in self.daemon.jobs()], [(0, "")])
        script.kill()
        eventually(lambda: not self.daemon.jobs())

    def test_it_has_its_record_too(self):
        import sweetspotd

        with sweetspotd.job(**DEEP) as job:
            job.progress(4)
        self.assertEqual((job.wait_for_record(60)["steps"], job.record["pid"]), (4, 0))


if __name__ == "__main__":
    governed_board.main()
