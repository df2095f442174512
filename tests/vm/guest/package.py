# SPDX-License-Identifier: Apache-2.0
"""The Debian package on a running system: installed, upgraded, removed and purged."""

import grp
import pathlib
import pwd
import stat

from clients import GROUP, SOCKET, make_users, status
from machine import UNIT, install, run
from scenario import equal, pinned_job, scenario

FIRST = []
LAST = []


def installed():
    return run("dpkg-query", "--show", "--showformat", "${db:Status-Abbrev}", "sweetspotd", check=False).stdout.strip()


def installed_version():
    return run("dpkg-query", "--show", "--showformat", "${Version}", "sweetspotd").stdout


def failed_units():
    return run("systemctl", "--failed", "--plain", "--no-legend").stdout.strip()


@scenario(FIRST, make_ready=False)
def the_package_installs_and_the_daemon_runs(world):
    """On a board whose GPU node and sensors are not there yet."""
    done = install(world.wanted["package"])
    make_users()
    equal(installed(), "ii", f"state of the package: {done.stdout}{done.stderr}")
    equal(world.machine.properties("ActiveState", "UnitFileState"), {"ActiveState": "active", "UnitFileState": "enabled"}, "unit")
    equal(status()["clock"]["condition"], "no_gpu", "clock")
    equal(failed_units(), "", "failed units")


@scenario(FIRST, make_ready=False)
def the_socket_is_there_for_root_and_the_group_alone(world):
    seen = pathlib.Path(SOCKET).stat()
    equal(stat.filemode(seen.st_mode), "srw-rw----", "mode")
    equal((pwd.getpwuid(seen.st_uid).pw_name, grp.getgrgid(seen.st_gid).gr_name), ("root", GROUP), "owner and group")


@scenario(LAST)
def removing_the_package_gives_the_clock_back(world):
    files = [pathlib.Path(line) for line in run("dpkg", "-L", "sweetspotd").stdout.splitlines()]
    files = [file for file in files if not file.is_dir()]
    pinned_job(world)
    run("dpkg", "--remove", "sweetspotd")
    equal(world.board.is_free(), True, "free when the removal has returned")
    equal([str(file) for file in (*files, pathlib.Path(SOCKET)) if file.exists()], [], "files left")
    equal(run("systemctl", "is-active", UNIT, check=False).stdout.strip(), "inactive", "unit")
    equal(failed_units(), "", "failed units")


@scenario(LAST, make_ready=False)
def a_purge_leaves_no_folder_behind(world):
    run("dpkg", "--purge", "sweetspotd")
    equal(installed(), "", "state of the package")
    folders = ("/etc/sweetspotd", "/var/lib/sweetspotd", "/run/sweetspotd", "/run/sweetspotd-private")
    equal([folder for folder in folders if pathlib.Path(folder).exists()], [], "folders left")
