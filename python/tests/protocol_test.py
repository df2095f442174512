# SPDX-License-Identifier: Apache-2.0
"""Versions get on with each other: what earlier clients sent to this daemon, what earlier daemons answered to this client.

protocol/ keeps a conversation of every version that was ever released; conversations.py recorded them.
"""

import copy
import json
import unittest

import conversations
from fake_daemon import FakeDaemon
from support import DEEP, DaemonTest, HearsWarnings, governed_board

import sweetspotd

# What a client that knows all of 0.1.0 says; a daemon of that version has to understand every word.
EVERYTHING = {key: value for key, value in conversations.WHOLE_SPEC.items() if key != "frequency_hz"}


def uncovered(old, new, where="reply"):
    """Where `new` lacks something that a client of `old` may rely on: a field, or its type. None: nowhere."""
    if old is None or new is None:
        return None  # not known there, or not measured here
    if isinstance(old, dict):
        if not isinstance(new, dict) or not old.keys() <= new.keys():
            return f"{where}: {sorted(old)} became {sorted(new) if isinstance(new, dict) else new}"
        return next(filter(None, (uncovered(old[key], new[key], f"{where}.{key}") for key in old)), None)
    if isinstance(old, list):
        if not isinstance(new, list):
            return f"{where}: a list became {new}"
        return uncovered(old[0], new[0], f"{where}[0]") if old and new else None
    same = isinstance(new, (int, float)) and isinstance(old, (int, float)) and type(True) not in (type(old), type(new))
    return None if same or type(old) is type(new) else f"{where}: {old!r} became {new!r}"


class OldClient(DaemonTest):
    """Its calls, word for word, to the daemon as built."""

    def test_every_call_is_answered_with_all_that_it_was_answered_with_before(self):
        self.assertTrue(conversations.versions())
        for version in conversations.versions():
            with self.subTest(version), self.daemon.connect() as connection:
                job_id = None
                for turn in conversations.turns(version):
                    call = copy.deepcopy(turn["call"])
                    if job_id is not None and "job_id" in call["parameters"]:
                        call["parameters"]["job_id"] = job_id
                    reply = conversations.say(connection, call)
                    if turn["reply"] is None:
                        continue
                    self.assertNotIn("error", reply, call)
                    self.assertIsNone(uncovered(turn["reply"], reply), call["method"])
                    job_id = reply["parameters"].get("job_id", job_id)
                self.assertEqual(reply["parameters"]["record"]["steps"], 8)


class OldDaemon(HearsWarnings):
    """Its answers, word for word, to this client."""

    def serve(self, replies):
        """A daemon that answers with these replies; what it was asked to start."""
        started = []

        def answer(call):
            if call["method"].endswith("StartJob"):
                started.append(call["parameters"]["spec"])
            reply = replies.get(call["method"])
            return None if reply is None or call.get("oneway") else json.dumps(reply).encode() + b"\0"

        daemon = FakeDaemon(answer)
        self.addCleanup(daemon.close)
        self.set_variable("SWEETSPOT_SOCKET", daemon.path)
        return started

    def assert_works_with(self, replies):
        started = self.serve(replies)
        with sweetspotd.job(**EVERYTHING, clock="612MHz") as job:
            job.progress(8)
            governed_board.eventually(lambda: job.id is not None)
            job.energy()
        record = governed_board.eventually(lambda: job.record)
        self.assertEqual((record["steps"], job.clock_hz), (8, 612_000_000))
        self.assertEqual(self.warnings.texts, [])
        self.assertEqual(started, [conversations.WHOLE_SPEC])
        with sweetspotd.Client() as client:
            self.assertEqual(client.explain(DEEP)["frequency_hz"], 714_000_000)
            self.assertEqual(client.status()["jobs"][0]["job_id"], 1)

    def replies_of(self, version):
        return {turn["call"]["method"]: turn["reply"] for turn in conversations.turns(version) if turn["reply"]}

    def test_a_whole_job_works_with_every_version(self):
        for version in conversations.versions():
            with self.subTest(version):
                self.assert_works_with(self.replies_of(version))

    def test_what_a_newer_daemon_answers_beyond_is_ignored(self):
        for version in conversations.versions():
            replies = self.replies_of(version)
            for reply in replies.values():
                add_unknown_fields(reply)
            with self.subTest(version):
                self.assert_works_with(replies)


def add_unknown_fields(value):
    """In every object of the reply, as a later version may have them."""
    for inner in list(value.values() if isinstance(value, dict) else value):
        if isinstance(inner, (dict, list)):
            add_unknown_fields(inner)
    if isinstance(value, dict):
        value["of_a_later_version"] = {"unheard": ["of"]}


class Comparison(unittest.TestCase):
    """What the tests above would find."""

    def test_what_is_missing_or_of_another_type_is_found(self):
        old = {"a": 1, "b": {"c": "text"}, "d": [{"e": True}], "f": None}
        self.assertIsNone(uncovered(old, {**old, "g": 1}))
        self.assertIsNone(uncovered(old, {**old, "a": 1.5, "f": 2}))
        for change in ({"a": "1"}, {"b": {}}, {"b": {"c": 3}}, {"d": [{}]}, {"d": [{"e": 1}]}, {"d": "none"}):
            self.assertIsNotNone(uncovered(old, {**old, **change}), change)
        self.assertIn("became", uncovered(old, {"a": 1}))


if __name__ == "__main__":
    governed_board.main()
