# SPDX-License-Identifier: Apache-2.0
"""A fresh minimal Debian 12 in a folder, to install packages in. Nothing outside its folder is touched."""

import os
import pathlib
import shutil
import subprocess

from cases import ROOT

CHROOTS = ROOT / ".cache/chroots"
PRISTINE = CHROOTS / "bookworm-minbase"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
# What a package manager writes whenever it does anything, and what systemd makes of catalogs and its own start.
NOT_OURS = ("var/lib/dpkg", "var/lib/apt", "var/log", "var/cache", "proc", "sys", "dev", "tmp", "debs")


class NotPossible(Exception):
    """Why there can be no such root here."""


def make_pristine():
    """Made once, kept in .cache."""
    if os.geteuid() != 0:
        raise NotPossible("installing in a chroot needs root")
    if not shutil.which("mmdebstrap"):
        raise NotPossible("no mmdebstrap; the package is called so")
    if PRISTINE.exists():
        return
    CHROOTS.mkdir(parents=True, exist_ok=True)
    making = CHROOTS / "making"
    shutil.rmtree(making, ignore_errors=True)
    mirror = os.environ.get("SWEETSPOT_DEBIAN_MIRROR")
    command = ["mmdebstrap", "--quiet", "--variant=minbase", f"--keyring={KEYRING}", "bookworm", making, *([mirror] if mirror else [])]
    made = subprocess.run(command, check=False, capture_output=True, text=True)
    if made.returncode != 0:
        raise NotPossible(f"mmdebstrap failed; is there a network? {made.stderr[-300:]}")
    making.rename(PRISTINE)


class DebianRoot:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    @classmethod
    def copy_of(cls, original, folder):
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run(["cp", "--archive", "--reflink=auto", original, folder], check=True)
        return cls(folder)

    def run(self, *command, check=True):
        """Runs a command in the root; the answer has its output. Mounts and processes of it end with it."""
        inside = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"]
        own = ["unshare", "--mount", "--pid", "--fork", "--kill-child", f"--root={self.folder}", "--mount-proc=/proc"]
        ran = subprocess.run([*own, *inside, *command], check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if check and ran.returncode != 0:
            raise AssertionError(f"{' '.join(map(str, command))}: status {ran.returncode}\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
        return ran

    def install_dependencies_of(self, packages):
        """From Debian's archive: what they depend on, and nothing that is merely recommended."""
        for package in packages:
            depends = subprocess.run(["dpkg-deb", "--field", package, "Depends"], check=True, capture_output=True, text=True).stdout
            self.with_names_resolved(lambda: self.run("apt-get", "-qq", "update"))
            self.with_names_resolved(
                lambda wanted=depends.strip(): self.run("apt-get", "-qq", "satisfy", "--yes", "--no-install-recommends", wanted)
            )

    def with_names_resolved(self, action):
        resolver = self.folder / "etc/resolv.conf"
        before = resolver.read_bytes() if resolver.exists() else None
        shutil.copy("/etc/resolv.conf", resolver)
        try:
            action()
        finally:
            resolver.unlink()
            if before is not None:
                resolver.write_bytes(before)

    def dpkg(self, action, *packages):
        """Files are copied in first. Without the archive: what they depend on must be there."""
        names = []
        for package in packages:
            if isinstance(package, pathlib.Path):
                (self.folder / "debs").mkdir(exist_ok=True)
                shutil.copy(package, self.folder / "debs")
                names.append(f"/debs/{package.name}")
            else:
                names.append(package)
        return self.run("dpkg", action, *names)

    def paths(self):
        """Every file, folder and link, without what changes whenever a package manager runs."""
        found = set()
        for folder, below, names in os.walk(self.folder):
            here = pathlib.Path(folder).relative_to(self.folder)
            below[:] = [name for name in below if str(here / name) not in NOT_OURS]
            found |= {str(here / name) for name in [*below, *names]}
        return found

    def has(self, path):
        return os.path.lexists(self.folder / path.lstrip("/"))

    def write(self, path, text):
        target = self.folder / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def read(self, path):
        return (self.folder / path.lstrip("/")).read_text()


def newer(package, folder):
    """The same package under a later version, as an upgrade would bring it."""
    tree = pathlib.Path(folder) / "newer"
    subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
    control = tree / "DEBIAN/control"
    lines = [f"{line}+1" if line.startswith("Version: ") else line for line in control.read_text().splitlines()]
    control.write_text("\n".join(lines) + "\n")
    built = pathlib.Path(folder) / f"newer_{package.name}"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, built], check=True, capture_output=True)
    return built
