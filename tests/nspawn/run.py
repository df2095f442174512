# SPDX-License-Identifier: Apache-2.0
"""Boots the machine, runs the scenes, counts them. The last line is the count; the status is 0 when nothing failed.

Usage: run.py [-k TEXT] [--keep] [--package FILE]
"""

import argparse
import pathlib
import sys
import time
import traceback
import unittest

import handover_scenes
import machine
import package_scenes
import scene
import service_scenes
import trouble_scenes

SCENES = (service_scenes, handover_scenes, trouble_scenes, package_scenes)


class Told(unittest.TextTestResult):
    """One line per test, with how long it took."""

    def startTest(self, test):
        self.began = time.monotonic()
        unittest.TestResult.startTest(self, test)

    def _tell(self, outcome, test, reason=""):
        took = time.monotonic() - self.began
        name = test.id().partition(".")[2]
        self.stream.writeln(f"{outcome:7} {name}{': ' if reason else ''}{reason} ({took:.1f} s)")
        self.stream.flush()

    def addSuccess(self, test):
        self._tell("ok", test)

    def addSkip(self, test, reason):
        unittest.TestResult.addSkip(self, test, reason)
        self._tell("skipped", test, reason)

    def addError(self, test, err):
        unittest.TestResult.addError(self, test, err)
        self._tell("FAILED", test)

    def addFailure(self, test, err):
        unittest.TestResult.addFailure(self, test, err)
        self._tell("FAILED", test)


def run_scenes(suite, keep):
    began = time.monotonic()
    with machine.Machine(machine.install_build) as booted:
        print(f"==> boot: done in {time.monotonic() - began:.1f} s", flush=True)
        scene.MachineTest.machine = booted
        result = unittest.TextTestRunner(stream=sys.stdout, resultclass=Told).run(suite)
        if keep:
            print(f"the machine is up; to look around: nsenter --target {booted.first_process} --all sh. Enter ends it.")
            input()
    return result


def main():
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("-k", dest="name", help="only tests with TEXT in their name")
    options.add_argument("--keep", action="store_true", help="leave the machine on until Enter is pressed")
    options.add_argument("--package", type=pathlib.Path, help="package of sweetspotd, for the scenes about packages")
    wanted = options.parse_args()
    reason = machine.unavailable()
    if reason:
        print(f"cannot boot a machine here: {reason}")
        print("0 passed, 1 failed, 0 skipped")
        return 1
    loader = unittest.TestLoader()
    if wanted.name:
        loader.testNamePatterns = [f"*{wanted.name}*"]
    suite = unittest.TestSuite(loader.loadTestsFromModule(module) for module in SCENES)
    package_scenes.Package.package = wanted.package
    try:
        result = run_scenes(suite, wanted.keep)
    except Exception:  # whatever keeps the machine from coming up is one failure
        traceback.print_exc(file=sys.stdout)
        print("0 passed, 1 failed, 0 skipped")
        return 1
    broken = len(result.failures) + len(result.errors)
    passed = result.testsRun - broken - len(result.skipped)
    print(f"{passed} passed, {broken} failed, {len(result.skipped)} skipped")
    return 0 if broken == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
