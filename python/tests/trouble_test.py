# SPDX-License-Identifier: Apache-2.0
"""Without a daemon, with a hung, a babbling, a refusing or an old one: one warning, no call over the patience, no exception."""

import json
import os
import shutil
import socket
import tempfile
import time

from fake_daemon import FakeDaemon
from support import DEEP, HearsWarnings, governed_board

import sweetspotd

# The patience is the client's promise; the rest is what a busy machine takes to wake a process up.
BOUND_S = sweetspotd.PATIENCE_S + 0.15
GOVERNOR = "io.sweetspotd.Governor"


def reply(parameters, error=None):
    return json.dumps({"parameters": parameters, **({"error": error} if error else {})}).encode() + b"\0"


DECISION = {"policy": "mlg", "frequency_hz": 714000000, "reason": "", "path": [], "clamped_from_hz": None, "fallback": False}


def old_daemon(call):
    """Knows two fields of a JobSpec, and refuses all others."""
    method = call["method"].rpartition(".")[2]
    if method == "GetInterfaceDescription":
        return reply({"description": f"interface {GOVERNOR}\ntype JobSpec (name: ?string, # for people\n layers: ?int)\n"})
    if method == "StartJob":
        unknown = set(call["parameters"]["spec"]) - {"name", "layers"}
        if unknown:
            return reply({"parameter": unknown.pop(), "expected": "no such field"}, "org.varlink.service.InvalidParameter")
        return reply({"job_id": 1, "decision": DECISION, "applied_hz": None, "state": "pending"})
    if method == "EndJob":
        return reply({"record": {"job_id": 1, "energy_j": 2.5}})
    return reply({"jobs": [{"job_id": 1, "energy_j": 1.5}]}) if method == "GetStatus" else None


class Trouble(HearsWarnings):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.mkdtemp(prefix="sweetspot-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def serve(self, answer):
        daemon = FakeDaemon(answer)
        self.addCleanup(daemon.close)
        self.set_variable("SWEETSPOT_SOCKET", daemon.path)
        return daemon

    def train(self, steps=5):
        """A training; every call's seconds."""
        taken = []

        def timed(call):
            begun = time.monotonic()
            found = call()
            taken.append(time.monotonic() - begun)
            return found

        scope = sweetspotd.job(**DEEP)
        job = timed(scope.__enter__)
        for step in range(1, steps + 1):
            timed(lambda step=step: job.progress(step))
            timed(job.energy)
        timed(lambda: scope.__exit__(None, None, None))
        timed(lambda: job.record)
        return job, taken

    def assert_harmless(self, word):
        """One warning that has the word, and no call that takes long. The quickest of three runs: machines are busy."""
        best = None
        for _ in range(3):
            self.warnings.texts.clear()
            job, taken = self.train()
            self.assertEqual(len(self.warnings.texts), 1, self.warnings.texts)
            self.assertIn(word, self.warnings.texts[0])
            self.assertIsNone(job.record)
            best = max(taken) if best is None else min(best, max(taken))
        self.assertLess(best, BOUND_S)

    def test_no_daemon(self):
        self.set_variable("SWEETSPOT_SOCKET", os.path.join(self.folder, "absent"))
        self.assert_harmless("no such socket")

    def test_nobody_listens(self):
        path = os.path.join(self.folder, "dead")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
        self.set_variable("SWEETSPOT_SOCKET", path)
        self.assert_harmless("nobody listens")

    def test_a_daemon_that_hangs_is_waited_for_no_longer_than_the_patience(self):
        self.serve(lambda call: None)
        _, taken = self.train(steps=2)
        self.assertLess(min(max(taken), max(self.train(steps=2)[1]), max(self.train(steps=2)[1])), BOUND_S)

    def test_a_daemon_that_hangs_is_warned_of_once(self):
        self.serve(lambda call: None)
        with sweetspotd.job(**DEEP) as job:
            governed_board.eventually(lambda: job.energy() or self.warnings.texts)
        self.assertEqual(len(self.warnings.texts), 1, self.warnings.texts)
        self.assertIn("does not answer", self.warnings.texts[0])

    def test_a_daemon_that_hangs_costs_the_patience_once_and_not_at_each_step(self):
        self.serve(lambda call: None)
        _, taken = self.train(steps=30)
        self.assertLess(sorted(taken)[-4], sweetspotd.PATIENCE_S / 2)

    def test_something_else_at_the_socket(self):
        self.serve(lambda call: b"HTTP/1.1 400 Bad Request\r\n\r\n\0")
        self.assert_harmless("does not speak varlink")

    def test_a_refusal(self):
        self.serve(lambda call: reply({"limit": 64, "whose": "the user"}, f"{GOVERNOR}.TooManyJobs"))
        self.assert_harmless("TooManyJobs")

    def test_an_old_daemon_gets_the_fields_it_knows(self):
        daemon = self.serve(old_daemon)
        with sweetspotd.job(**DEEP) as job:
            pass
        self.assertEqual(job.record["energy_j"], 2.5)
        start = next(call for call in daemon.calls if call["method"].endswith("StartJob"))
        self.assertEqual(start["parameters"]["spec"], {"layers": 24})
        self.assertEqual(len(self.warnings.texts), 1)
        self.assertIn("mean_sequence_length", self.warnings.texts[0])

    def test_a_late_answer_is_picked_up_later(self):
        def late(call):
            time.sleep(0.3)
            return old_daemon(call)

        self.serve(late)
        with sweetspotd.job(layers=24) as job:
            self.assertIsNone(job.id)
            self.assertEqual(governed_board.eventually(job.energy), 1.5)
        governed_board.eventually(lambda: job.record)
        self.assertEqual(self.warnings.texts, [])

    def test_wrong_data_is_warned_of(self):
        class Odd:
            def __len__(self):
                return 3

            def __getitem__(self, index):
                raise RuntimeError("no item today")

        spec = sweetspotd.job_spec(data=Odd(), layers=3)
        self.assertEqual(spec, {"layers": 3})
        self.assertIn("no item today", self.warnings.texts[0])


if __name__ == "__main__":
    governed_board.main()
