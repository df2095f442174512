# SPDX-License-Identifier: Apache-2.0
"""Starts the virtual machine, gives it the package and the scenarios, and counts what it reports.

Usage: run_machine.py CACHE PACKAGE [--only TEXT] [--keep] [--limit SECONDS]

CACHE holds what tests/vm/make-machine made, PACKAGE is an arm64 .deb of sweetspotd. The last line counts; the status is 0 when all
scenarios passed.
"""

import argparse
import io
import json
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SUPPORT = HERE.parent / "support" / "daemon_calls.py"
sys.path.insert(0, str(SUPPORT.parent))

from daemon_calls import let_pass

# A machine that says nothing for so long has hung: the longest scenario takes a fraction of it.
SILENCE_S = 600
LOOK_PERIOD_S = 0.2


def with_version(package, version, into):
    """The same package under another version, for an upgrade."""
    folder = into / "repacked"
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["dpkg-deb", "--raw-extract", package, folder], check=True)
    control = folder / "DEBIAN/control"
    text = re.sub(r"^Version:.*$", f"Version: {version}", control.read_text(encoding="utf-8"), flags=re.MULTILINE)
    control.write_text(text, encoding="utf-8")
    newer = into / "newer.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "--build", folder, newer], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(folder)
    return newer


def version_of(package):
    shown = subprocess.run(["dpkg-deb", "--field", package, "Version"], check=True, capture_output=True, text=True)
    return shown.stdout.strip()


def write_second_disk(path, package, newer, wanted):
    """A tar archive as a disk: the machine's agent, its scenarios, the packages."""
    with tarfile.open(path, "w") as archive:
        for file in [*sorted((HERE / "guest").glob("*.py")), SUPPORT]:
            archive.add(file, file.name)
        archive.add(package, "sweetspotd.deb")
        archive.add(newer, "newer.deb")
        text = json.dumps(wanted).encode()
        entry = tarfile.TarInfo("run.json")
        entry.size = len(text)
        archive.addfile(entry, io.BytesIO(text))
    # Disks come in sectors.
    with open(path, "ab") as disk:
        disk.truncate((path.stat().st_size + 511) // 512 * 512)


def qemu_command(cache, run, limit):
    machine = (HERE / "board/qemu-machine").read_text(encoding="ascii").split()
    command = ["timeout", "--foreground", "--kill-after=10", str(limit), "qemu-system-aarch64", *machine]
    command += ["-accel", "tcg,thread=multi", "-display", "none", "-dtb", cache / "board.dtb"]
    command += ["-kernel", cache / "vmlinuz", "-initrd", cache / "initrd.img", "-append", "console=ttyAMA0 panic=-1 quiet"]
    command += ["-drive", f"file={run / 'disk.img'},format=raw,if=none,id=root,cache=unsafe"]
    command += ["-device", "virtio-blk-pci,drive=root"]
    command += ["-drive", f"file={run / 'second-disk.tar'},format=raw,if=none,id=second,readonly=on"]
    command += ["-device", "virtio-blk-pci,drive=second"]
    command += ["-device", "virtio-rng-pci", "-device", "virtio-serial-pci"]
    # A machine that restarts ends QEMU: memory is lost for certain, as when the power fails.
    command += ["-no-reboot"]
    command += ["-chardev", f"file,id=agent,append=on,path={run / 'reports.jsonl'}", "-device", "virtserialport,chardev=agent,name=agent"]
    command += ["-chardev", f"socket,id=console,path={run / 'console.sock'},server=on,wait=off"
                f",logfile={run / 'console.log'},logappend=on"]
    command += ["-serial", "chardev:console"]
    return [str(word) for word in command]


class Counted:
    """What the machine has reported so far."""

    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.ended = False
        self.restarts = False

    def take(self, line):
        report = json.loads(line)
        self.restarts = "restart" in report
        if "boot" in report:
            print(f"boot {report['boot']}: up after {report['seconds']} s", flush=True)
        elif "restart" in report:
            print("the machine is restarted in the middle of a job, without warning", flush=True)
        elif "end" in report:
            self.ended = True
        else:
            self._take_scenario(report)

    def _take_scenario(self, report):
        fault = report["fault"]
        self.passed += fault is None
        self.failed += fault is not None
        notes = "".join(f"\n       {note}" for note in report["notes"])
        print(f"{'ok' if fault is None else 'FAILED':6} {report['scenario']} ({report['seconds']} s){notes}", flush=True)
        if fault is not None:
            print("       " + fault.replace("\n", "\n       "), flush=True)


def follow(process, reports, counted, keep):
    """Takes lines as they come, until the machine ends or hangs. `reports` is read on where the last boot left it."""
    heard = time.monotonic()
    rest = ""
    while True:
        ended = process.poll() is not None
        text = reports.read()
        if text:
            heard = time.monotonic()
            *lines, rest = (rest + text).split("\n")
            for line in lines:
                counted.take(line)
        elif ended:
            return
        elif time.monotonic() - heard > SILENCE_S and not (keep and counted.ended):
            print(f"the machine has said nothing for {SILENCE_S} s")
            return
        else:
            let_pass(LOOK_PERIOD_S)


def boot(command, log, reports, counted, keep):
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log) as process:
        try:
            follow(process, reports, counted, keep)
        finally:
            process.terminate()


def last_words(run):
    """Of QEMU and of the machine's console; a QEMU that did not start has no console."""
    logs = [run / "qemu.log", run / "console.log"]
    return "\n".join(log.read_text(encoding="utf-8", errors="replace")[-4000:] for log in logs if log.exists())


def main():
    # Whoever ends this program ends the machine, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    parser = argparse.ArgumentParser()
    parser.add_argument("cache", type=pathlib.Path)
    parser.add_argument("package", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--limit", type=int, default=2400)
    asked = parser.parse_args()
    run = asked.cache / "run"
    shutil.rmtree(run, ignore_errors=True)
    run.mkdir(parents=True)
    newer = with_version(asked.package, version_of(asked.package) + "+newer", run)
    wanted = {"only": asked.only, "keep": asked.keep, "package": "sweetspotd.deb", "newer_package": "newer.deb"}
    # What the machine writes is forgotten with this copy, but outlives a restart of the machine.
    subprocess.run(["cp", "--sparse=always", "--reflink=auto", asked.cache / "disk.img", run / "disk.img"], check=True)
    write_second_disk(run / "second-disk.tar", asked.package, newer, wanted)
    (run / "reports.jsonl").touch()
    command = qemu_command(asked.cache, run, 86400 if asked.keep else asked.limit)
    (run / "command").write_text(shlex.join(command) + "\n", encoding="utf-8")
    if asked.keep:
        print(f"the machine stays on. Its console (root, no password): socat -,raw,echo=0 UNIX:{run / 'console.sock'}")

    counted = Counted()
    with open(run / "qemu.log", "wb") as log, open(run / "reports.jsonl", encoding="utf-8") as reports:
        boot(command, log, reports, counted, asked.keep)
        if counted.restarts:
            boot(command, log, reports, counted, asked.keep)
    if not counted.ended:
        counted.failed += 1
        print(last_words(run))
        print("FAILED the machine ended before its scenarios did; the end of its console stands above, all of it in "
              f"{run / 'console.log'}")
    elif counted.passed + counted.failed == 0:
        counted.failed += 1
        print(f"FAILED no scenario has a name with {asked.only!r} in it")
    print(f"{counted.passed} passed, {counted.failed} failed, 0 skipped")
    return 1 if counted.failed else 0


if __name__ == "__main__":
    sys.exit(main())
