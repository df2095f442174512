# SPDX-License-Identifier: Apache-2.0
"""Clients of the daemon that are processes and users of their own."""

import contextlib
import json
import os
import pwd
import signal
import socket
import subprocess

from daemon_calls import INTERFACE, Connection, eventually

SOCKET = f"/run/sweetspotd/{INTERFACE}"
MEMBER = "trainer"
OUTSIDER = "passer-by"
GROUP = "sweetspot-users"


def make_users():
    """Unless there are some. The package has made the group; a home folder is of no use to anybody here."""
    there = {entry.pw_name for entry in pwd.getpwall()}
    for user, options in ((MEMBER, ["--groups", GROUP]), (OUTSIDER, [])):
        if user not in there:
            subprocess.run(["useradd", "--no-create-home", *options, user], check=True)


class CallRefused(Exception):
    """An error of the interface."""


def call(connection, method, **parameters):
    reply = connection.call(method, parameters)
    if "error" in reply:
        raise CallRefused(json.dumps(reply))
    return reply["parameters"]


def status():
    """As root, over a connection of its own."""
    with Connection(SOCKET) as connection:
        return call(connection, "GetStatus")


def identity(user):
    """uid, gid, and all groups as a login would have them."""
    entry = pwd.getpwnam(user)
    return entry.pw_uid, entry.pw_gid, os.getgrouplist(user, entry.pw_gid)


def run_as(user, *command):
    """A command in the name of a user, with that user's groups."""
    uid, gid, groups = identity(user)
    return subprocess.run(
        command, user=uid, group=gid, extra_groups=groups, capture_output=True, text=True, timeout=180, check=False, cwd="/"
    )


class Trainer:
    """A process of a member of the group that holds one connection, and does what it is told over a pair of sockets."""

    def __init__(self, user):
        uid, gid, groups = identity(user)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.pid = os.fork()
        if self.pid == 0:
            ours.close()
            os.setgroups(groups)
            os.setgid(gid)
            os.setuid(uid)
            self._serve(theirs)
        theirs.close()
        self._orders = ours
        self._orders.settimeout(180)

    @staticmethod
    def _serve(orders):
        """In the child, until it is killed or the parent goes away."""
        try:
            with Connection(SOCKET) as connection:
                while order := orders.recv(65536):
                    orders.send(json.dumps(connection.call(**json.loads(order))).encode())
        except OSError as error:
            orders.send(json.dumps({"error": "no connection", "parameters": {"why": str(error)}}).encode())
        finally:
            os._exit(0)

    def call(self, method, parameters=None):
        self._orders.send(json.dumps({"method": method, "parameters": parameters or {}}).encode())
        reply = self._orders.recv(1 << 20)
        if not reply:
            raise ConnectionResetError("the client is gone")
        return json.loads(reply)

    def start_job(self, **spec):
        return call(self, "StartJob", spec=spec)

    def end_job(self, job_id):
        return call(self, "EndJob", job_id=job_id)["record"]

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        self._orders.close()


class Clients:
    def __init__(self):
        self._trainers = []

    def member(self):
        trainer = Trainer(MEMBER)
        self._trainers.append(trainer)
        return trainer

    def end_all(self):
        for trainer in self._trainers:
            trainer.kill()
        self._trainers.clear()


def clock_is(condition):
    """Waits until the daemon says so, and answers what else it says of the clock."""

    def said():
        clock = status()["clock"]
        return clock if clock["condition"] == condition else None

    return eventually(said)
