# SPDX-License-Identifier: Apache-2.0
"""A Debian of the test's own with a real systemd as its first process, in systemd-nspawn, on a simulated board.

The board is a FUSE mount of `sweetspot-sim` and lies over /sys of the machine, so that the installed daemon
and its unit files need no option that a real board does not. udev does not run there: what its rule would do, a test does.
"""

import contextlib
import json
import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from daemon_calls import PATIENCE_S, eventually  # noqa: E402
from governed_board import BUILD, ROOT, Board  # noqa: E402

CACHE = ROOT / "build/nspawn"
SERVICE = "sweetspotd.service"
SOCKET = "sweetspotd.socket"
MEMBER = "member"
OUTSIDER = "outsider"
CONTROL_GROUPS = pathlib.Path("/sys/fs/cgroup")

# One of group sweetspot-users, one who is not, as a distribution's accounts would be.
ACCOUNTS = f"""u {MEMBER} 2001 "may start jobs" /home/{MEMBER} /bin/sh
u {OUTSIDER} 2002 "may not" /home/{OUTSIDER} /bin/sh
g sweetspot-users - -
m {MEMBER} sweetspot-users
"""

BOARD_FOLDERS = ("bus", "class", "devices", "firmware")

# What a kernel would show of the board, laid over what nspawn shows of this machine, before anything looks.
BOARD_UNIT = """[Unit]
DefaultDependencies=no
Before=sysinit.target systemd-journald.service
[Service]
Type=oneshot
RemainAfterExit=yes
# nspawn hides the boot id, but not from services with mounts of their own: they and a shell have to read the same.
ExecStart=-/bin/sh -c "while umount /proc/sys/kernel/random/boot_id; do :; done"
ExecStart=/bin/mount -o remount,rw,bind /sys
ExecStart=/bin/mkdir -p /sys/firmware
ExecStart=/bin/mount -o remount,ro,bind /sys
""" + "".join(f"ExecStart=/bin/mount --bind /mnt/board/sys/{name} /sys/{name}\n" for name in BOARD_FOLDERS) + """[Install]
WantedBy=sysinit.target
"""

# Nothing runs beside the tests that takes processor time of its own.
MASKED = (
    "apt-daily.timer apt-daily-upgrade.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer dpkg-db-backup.timer "
    "systemd-timesyncd.service systemd-networkd.service systemd-networkd.socket systemd-resolved.service console-getty.service"
).split()


def unavailable():
    """Why no machine can be booted here; None when nothing speaks against it."""
    if os.geteuid() != 0:
        return "not root"
    if not os.path.exists("/dev/fuse"):
        return "no /dev/fuse; in a container pass it in"
    if not shutil.which("systemd-nspawn"):
        return "no systemd-nspawn; it comes with the package systemd-container"
    if not (CACHE / "root.made-from").exists():
        return "no Debian to boot; tests/nspawn/make-root makes one"
    return None


def descendants(pid):
    """All processes below this one, parents first."""
    found = []
    with contextlib.suppress(OSError):
        for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split():
            found += [int(child), *descendants(int(child))]
    return found


def is_first_process(pid):
    """Of a pid namespace other than ours."""
    with contextlib.suppress(OSError):
        status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        numbers = next(line for line in status.splitlines() if line.startswith("NSpid:")).split()[1:]
        return len(numbers) > 1 and numbers[-1] == "1"
    return False


class ControlGroup:
    """A control group of its own for the machine, where this machine's first process is no systemd that would make one."""

    def __init__(self, name):
        here = pathlib.Path("/proc/1/comm").read_text(encoding="utf-8").strip() == "systemd"
        places = (CONTROL_GROUPS, *CONTROL_GROUPS.iterdir())
        hierarchies = [path for path in places if (path / "cgroup.procs").exists()]
        self.folders = [] if here else [path / name for path in hierarchies]
        for folder in self.folders:
            folder.mkdir(exist_ok=True)
            if folder.parent.name == "cpuset":
                for file in ("cpuset.cpus", "cpuset.mems"):
                    (folder / file).write_text((folder.parent / file).read_text(encoding="ascii"), encoding="ascii")

    def enter(self):
        """Between fork and exec."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text("0", encoding="ascii")

    def remove(self):
        for folder in self.folders:
            below = [pathlib.Path(path) for path, _, _ in os.walk(folder, topdown=False)]
            for path in below:
                with contextlib.suppress(OSError):
                    path.rmdir()


class Machine:
    """Boots with `with`; powers off however that ends."""

    def __init__(self, prepare):
        """`prepare(root)` installs what is to be tested into the machine's root folder."""
        self._prepare = prepare
        self._scene = contextlib.ExitStack()
        self.first_process = None  #: the machine's systemd, as this machine counts

    def __enter__(self):
        with contextlib.ExitStack() as scene:
            self.folder = pathlib.Path(scene.enter_context(tempfile.TemporaryDirectory(prefix="machine-", dir=CACHE)))
            self.board = scene.enter_context(Board(self.folder))
            self.root = self.folder / "root"
            subprocess.run(["cp", "-a", CACHE / "root", self.root], check=True)
            self._furnish()
            self._prepare(self.root)
            self._boot(scene)
            self._scene = scene.pop_all()
        return self

    def __exit__(self, *_):
        self._scene.close()

    def _furnish(self):
        etc = self.root / "etc"
        (etc / "machine-id").write_text("5eed5eed5eed5eed5eed5eed5eed5eed\n", encoding="ascii")
        (etc / "hostname").write_text("board\n", encoding="ascii")
        for folder in ("mnt/board", "usr/local/lib/sysusers.d", "usr/local/lib/systemd/system"):
            (self.root / folder).mkdir(parents=True, exist_ok=True)
        for name in ("nv_tegra_release", "nvpmodel.conf"):
            if (self.board.root / "etc" / name).exists():
                (etc / name).symlink_to(f"/mnt/board/etc/{name}")
        if (self.board.root / "var/lib/nvpmodel").exists():
            (self.root / "var/lib/nvpmodel").symlink_to("/mnt/board/var/lib/nvpmodel")
        (self.root / "usr/local/lib/sysusers.d/accounts.conf").write_text(ACCOUNTS, encoding="ascii")
        (self.root / "usr/local/lib/systemd/system/board.service").write_text(BOARD_UNIT, encoding="ascii")
        subprocess.run(["systemd-sysusers", f"--root={self.root}"], check=True, capture_output=True)
        self.system_of_root("enable", "board.service")
        self.system_of_root("mask", *MASKED)

    def system_of_root(self, *arguments):
        """systemctl on the machine's files, before it runs."""
        subprocess.run(["systemctl", f"--root={self.root}", "--quiet", *arguments], check=True, capture_output=True)

    def _boot(self, scene):
        name = f"board-{secrets.token_hex(4)}"
        group = ControlGroup(f"sweetspot-{name}")
        scene.callback(group.remove)
        command = ["systemd-nspawn", "--quiet", f"--directory={self.root}", f"--machine={name}", "--register=no"]
        command += ["--keep-unit"] if group.folders else []
        command += [f"--bind={self.board.root}:/mnt/board", "--console=pipe", "--boot"]
        self.console = self.folder / "console.log"
        with open(self.console, "wb") as console:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=console, stderr=subprocess.STDOUT, preexec_fn=group.enter
            )
        scene.callback(self._power_off)
        self.first_process = eventually(self._find_first_process)
        eventually(lambda: self.run("test", "-e", "/run/systemd/private").returncode == 0)
        state = self.run("systemctl", "is-system-running", "--wait").stdout.strip()
        if state not in ("running", "degraded"):
            raise RuntimeError(f"the machine is {state}: {self.console.read_text(encoding='utf-8', errors='replace')}")

    def _find_first_process(self):
        if self._process.poll() is not None:
            raise RuntimeError(f"the machine did not boot: {self.console.read_text(encoding='utf-8', errors='replace')}")
        return next((pid for pid in descendants(self._process.pid) if is_first_process(pid)), None)

    def _power_off(self):
        self._process.terminate()
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            for pid in [*descendants(self._process.pid), self._process.pid]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self._process.wait()

    def _inside(self, command, user):
        enter = ["nsenter", f"--target={self.first_process}", "--mount", "--uts", "--ipc", "--net", "--pid", "--root", "--wd"]
        become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", "--reset-env"] if user else []
        return [*enter, *become, *map(str, command)]

    def run(self, *command, user=None, check=False, text=None):
        """Runs a program in the machine, as root or as a user, and answers what subprocess.run does."""
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "SYSTEMD_PAGER": ""}
        done = subprocess.run(
            self._inside(command, user),
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            input=text,
            timeout=2 * PATIENCE_S,
        )
        if check and done.returncode != 0:
            raise AssertionError(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stdout}{done.stderr}")
        return done

    def start(self, *command, user=None):
        """A program that runs on; the caller ends it."""
        return subprocess.Popen(
            self._inside(command, user), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def write(self, path, text):
        self.run("mkdir", "-p", pathlib.PurePosixPath(path).parent, check=True)
        self.run("tee", path, text=text, check=True)

    def systemctl(self, *arguments, check=True):
        return self.run("systemctl", *arguments, check=check)

    def show(self, name, unit=SERVICE):
        """A property of a unit, as systemd has it."""
        return self.systemctl("show", "--value", f"--property={name}", unit).stdout.strip()

    def journal(self, *matches):
        """Entries as dictionaries, oldest first."""
        said = self.run("journalctl", "--output=json", "--no-pager", *matches, check=True).stdout
        return [json.loads(line) for line in said.splitlines()]

    def read(self, path):
        return self.run("cat", path, check=True).stdout


def install_build(root):
    """What this build installs, in place and enabled, as a package would leave it."""
    environment = {**os.environ, "DESTDIR": str(root)}
    command = ["cmake", "--install", BUILD, "--prefix", "/usr", "--strip", "--component", "sweetspotd"]
    subprocess.run(command, check=True, capture_output=True, env=environment)
    for command in (
        ["systemd-sysusers", f"--root={root}"],
        ["systemctl", f"--root={root}", "--quiet", "enable", SERVICE],
        ["journalctl", f"--root={root}", "--update-catalog"],
    ):
        subprocess.run(command, check=True, capture_output=True)
