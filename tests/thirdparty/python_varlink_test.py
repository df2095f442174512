# SPDX-License-Identifier: Apache-2.0
"""PyPI's varlink against the daemon. Usage: python_varlink_test.py [TestCase]…   Exit status 77: skipped, with a reason."""

import os
import signal
import subprocess
import unittest

import clients
from clients import varlink
from governed_board import INTERFACE, PATIENCE_S, ROOT, BoardTest, code_blocks, eventually, main

DEBERTA = {"layers": 24, "mean_sequence_length": 14}
NOBODY = 65534  # the kernel's overflow uid; any uid that is not ours would do


@unittest.skipIf(clients.no_varlink, clients.no_varlink or "")
class PythonTest(BoardTest):
    def setUp(self):
        super().setUp()
        self.client = varlink.Client(f"unix:{self.daemon.socket}")
        self.addCleanup(self.client.cleanup)

    def open(self, **options):
        """The library's object for our interface, on a connection of its own that does not wait for ever."""
        connection = self.client.open_connection()
        connection.settimeout(PATIENCE_S)
        opened = self.client.open(INTERFACE, connection=connection, **options)
        self.addCleanup(opened.close)
        return opened

    def assert_refused(self, error, parameters, call):
        with self.assertRaises(varlink.VarlinkError) as refused:
            call()
        self.assertEqual(refused.exception.error(), error)
        self.assertEqual(refused.exception.parameters(), parameters)
        return refused.exception


class Introspection(PythonTest):
    def test_the_service_says_who_it_is_and_which_interfaces_it_has(self):
        self.assertEqual(sorted(self.client.get_interfaces()), [INTERFACE, "org.varlink.service"])
        self.assertEqual(self.client.info["product"], "sweetspotd")
        self.assertRegex(self.client.info["version"], r"^\d+\.\d+")

    def test_the_description_is_the_file_and_parses_with_its_comments(self):
        interface = self.client.get_interface(INTERFACE)
        file = ROOT / "config" / f"{INTERFACE}.varlink"
        self.assertEqual(interface.get_description(), file.read_text(encoding="utf-8"))
        methods = {name for name in interface.members if hasattr(interface.members[name], "signature")}
        self.assertEqual(methods, {"StartJob", "ReportProgress", "EndJob", "Explain", "GetStatus", "Watch"})
        self.assertIn("Changes nothing.", interface.get_method("Explain").doc)
        self.assertIn("policy", interface.members["JobSpec"].type.fields)

    def test_varlinks_own_interface_parses(self):
        interface = self.client.get_interface("org.varlink.service")
        self.assertTrue({"GetInfo", "GetInterfaceDescription", "InvalidParameter"} <= set(interface.members))

    def test_status_passes_the_librarys_check_against_the_description(self):
        status = self.open().GetStatus()
        self.assertEqual(status["board"]["soc"], "tegra234")
        self.assertEqual(status["jobs"], [])


class Jobs(PythonTest):
    def test_explain_answers_the_decision(self):
        decision = self.open().Explain(DEBERTA)["decision"]
        self.assertEqual((decision["policy"], decision["frequency_hz"]), ("mlg", 714_000_000))
        self.assertEqual(self.daemon.jobs(), [])

    def test_every_kind_of_field_of_a_spec_arrives(self):
        spec = {**DEBERTA, "rails": ["VDD_GPU_SOC"], "tags": {"seed": "7"}, "max_slowdown": 1.5, "policy": "fixed"}
        decision = self.open().Explain(spec={**spec, "frequency_hz": 918_000_000})["decision"]
        self.assertEqual((decision["policy"], decision["frequency_hz"]), ("fixed", 918_000_000))

    def test_a_job_by_pid_outlives_its_connection_and_is_ended_over_another(self):
        trainer = self.bystander()
        starting = self.open()
        job = starting.StartJob({**DEBERTA, "name": "one-shot", "pid": trainer.pid})["job_id"]
        starting.close()
        eventually(lambda: self.daemon.status()["connections"] == 1)  # the one that asks
        self.assertEqual([(running["job_id"], running["pid"]) for running in self.daemon.jobs()], [(job, trainer.pid)])
        self.assertEqual(self.open().ReportProgress(job, 42), {})
        record = self.open(namespaced=True).EndJob(job).record
        self.assertEqual((record.name, record.steps, record.ended_by), ("one-shot", 42, "client"))
        self.assertEqual((record.pid, record.comm, record.uid), (trainer.pid, "sleep", os.geteuid()))
        self.assertEqual(self.daemon.jobs(), [])

    def test_a_job_by_pid_ends_with_its_process(self):
        trainer = self.bystander()
        self.open().StartJob({"pid": trainer.pid})
        trainer.send_signal(signal.SIGKILL)
        eventually(lambda: not self.daemon.jobs())

    def test_a_job_without_pid_ends_with_its_connection(self):
        held = self.open()
        held.StartJob(DEBERTA)
        self.assertEqual(len(self.daemon.jobs()), 1)
        held.close()
        eventually(lambda: not self.daemon.jobs())

    def test_the_clock_is_the_jobs_while_it_runs_and_given_back_after(self):
        found = self.board.gpu_limits_hz()
        governor = self.open()
        job = governor.StartJob(DEBERTA)["job_id"]
        eventually(lambda: self.board.gpu_limits_hz() == (714_000_000, 714_000_000))
        governor.EndJob(job)
        eventually(lambda: self.board.gpu_limits_hz() == found)

    def test_progress_may_be_reported_oneway(self):
        governor = self.open()
        job = governor.StartJob(DEBERTA)["job_id"]
        self.assertIsNone(governor.ReportProgress(job, 7, _oneway=True))
        self.assertEqual(governor.EndJob(job)["record"]["steps"], 7)


class Watching(PythonTest):
    def test_samples_and_the_events_of_a_job_stream_in_order(self):
        events = self.open().Watch(100, _more=True)
        first = next(events)["event"]
        self.assertEqual(first["kind"], "sample")
        self.assertIn("VDD_GPU_SOC", [rail["name"] for rail in first["sample"]["rails"]])
        governor = self.open()
        job = governor.StartJob({**DEBERTA, "name": "watched"})["job_id"]
        seen = self.until(events, "clock_pinned")
        self.assertEqual(seen["job_started"]["job_id"], job)
        self.assertEqual(seen["job_started"]["owner"]["pid"], os.getpid())
        self.assertEqual(seen["clock_pinned"]["clock_hz"], 714_000_000)
        record = governor.EndJob(job)["record"]
        # The clock goes back at once, the record waits for its last sample: either may be told first.
        seen = self.until(events, "clock_restored", "job_ended")
        self.assertEqual(seen["job_ended"]["record"], record)

    def until(self, events, *kinds):
        """The events until each of these kinds was seen, by kind."""
        seen = {}
        for reply in events:
            seen[reply["event"]["kind"]] = reply["event"]
            if all(kind in seen for kind in kinds):
                return seen
        raise AssertionError(f"the stream ended before {kinds}")

    def test_a_watcher_that_hangs_up_is_forgotten(self):
        watcher = self.open()
        next(watcher.Watch(_more=True))
        self.assertEqual(self.daemon.status()["watchers"], 1)
        watcher.close()
        eventually(lambda: self.daemon.status()["watchers"] == 0)

    def test_without_more_it_is_refused(self):
        self.assert_refused("org.varlink.service.ExpectedMore", {}, self.open().Watch)


class Errors(PythonTest):
    config = {"limits": {"jobs_per_uid": 1, "watchers_per_uid": 1}}

    def test_no_such_job(self):
        for call in (lambda: self.open().EndJob(99), lambda: self.open().ReportProgress(99, 1)):
            self.assert_refused(f"{INTERFACE}.NoSuchJob", {"job_id": 99}, call)

    def test_invalid_spec(self):
        parameters = {"field": "policy", "expected": "mlg, ffg, fixed, none, tree or adaptive"}
        self.assert_refused(f"{INTERFACE}.InvalidSpec", parameters, lambda: self.open().StartJob({"policy": "fastest"}))

    def test_too_many_jobs(self):
        governor = self.open()
        governor.StartJob(DEBERTA)
        parameters = {"limit": 1, "whose": f"uid {os.geteuid()}"}
        self.assert_refused(f"{INTERFACE}.TooManyJobs", parameters, lambda: governor.StartJob(DEBERTA))

    def test_busy(self):
        next(self.open().Watch(_more=True))
        parameters = {"reason": f"uid {os.geteuid()} has 1 watchers already"}
        self.assert_refused(f"{INTERFACE}.Busy", parameters, lambda: next(self.open().Watch(_more=True)))

    def test_unknown_interface(self):
        refused = self.assert_refused(
            "org.varlink.service.InterfaceNotFound",
            {"interface": "io.sweetspotd.Kitchen"},
            lambda: self.client.get_interface("io.sweetspotd.Kitchen"),
        )
        self.assertIsInstance(refused, varlink.InterfaceNotFound)

    def test_methods_and_parameters_of_a_description_that_is_not_ours(self):
        description = f"interface {INTERFACE}\nmethod MakeCoffee() -> ()\nmethod EndJob(job_id: string) -> ()\n"
        self.client.add_interface(varlink.Interface(description))
        governor = self.open()
        parameters = {"method": f"{INTERFACE}.MakeCoffee"}
        self.assert_refused("org.varlink.service.MethodNotFound", parameters, governor.MakeCoffee)
        refused = self.assert_refused(
            "org.varlink.service.InvalidParameter", {"parameter": "job_id"}, lambda: governor.EndJob("first")
        )
        self.assertIsInstance(refused, varlink.InvalidParameter)

    def test_a_connection_serves_on_after_an_error(self):
        governor = self.open()
        with self.assertRaises(varlink.VarlinkError):
            governor.EndJob(99)
        self.assertIn("decision", governor.Explain(DEBERTA))

    def test_oneway_errors_are_counted(self):
        governor = self.open()
        governor.ReportProgress(99, 1, _oneway=True)
        self.assertEqual(governor.GetStatus()["oneway_errors"], 1)


@unittest.skipIf(os.geteuid() != 0, "only root can act as another user")
class OtherUsers(PythonTest):
    def open_as_nobody(self):
        os.chmod(self.daemon.socket, 0o666)
        os.seteuid(NOBODY)  # the kernel notes the caller of connect(2), nothing later
        try:
            return self.open()
        finally:
            os.seteuid(0)

    def test_somebody_elses_job_is_not_yours(self):
        job = self.open().StartJob(DEBERTA)["job_id"]
        stranger = self.open_as_nobody()
        for call in (lambda: stranger.EndJob(job), lambda: stranger.ReportProgress(job, 1)):
            self.assert_refused(f"{INTERFACE}.NotYourJob", {"job_id": job}, call)
        self.assertEqual(len(self.daemon.jobs()), 1)

    def test_somebody_elses_process_cannot_be_named(self):
        trainer = self.bystander()
        parameters = {"field": "pid", "expected": f"a process of your own; {trainer.pid} belongs to uid 0"}
        call = self.open_as_nobody().StartJob
        self.assert_refused(f"{INTERFACE}.InvalidSpec", parameters, lambda: call({"pid": trainer.pid}))

    def test_root_may_end_anybodys_job(self):
        job = self.open_as_nobody().StartJob(DEBERTA)["job_id"]
        self.assertEqual(self.open().EndJob(job)["record"]["uid"], NOBODY)


class Document(PythonTest):
    def test_the_python_of_the_protocol_page_runs_as_it_stands(self):
        blocks = code_blocks("protocol.md", "python")
        self.assertGreaterEqual(len(blocks), 1)
        for block in blocks:
            here = block.replace(f"/run/sweetspotd/{INTERFACE}", str(self.daemon.socket))
            self.assertNotEqual(here, block)
            with self.subTest(block=block):
                end = run_python("-c", here)
                self.assertEqual(end.returncode, 0, end.stderr)
                # A busy machine may get no sample of so short a job; then nothing was measured.
                self.assertRegex(end.stdout, r"^714000000 Hz\n([\d.]+|None) J\n$")


def run_python(*arguments, **variables):
    command = [ROOT / "build/venv/bin/python3", "-B", *arguments]
    environment = {**os.environ, **{name: str(value) for name, value in variables.items()}}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S, env=environment)


class FiveLines(PythonTest):
    example = ROOT / "examples/five_lines.py"

    def test_it_trains_within_a_job_and_says_the_joules(self):
        events = self.open().Watch(60_000, _more=True)
        next(events)
        end = run_python(self.example, "--steps", "3000", SWEETSPOT_SOCKET=self.daemon.socket)
        self.assertEqual(end.returncode, 0, end.stderr)
        record = next(reply["event"] for reply in events if reply["event"]["kind"] == "job_ended")["record"]
        self.assertEqual((record["steps"], record["ended_by"]), (3000, "client"))
        self.assertEqual(record["decision"]["frequency_hz"], 714_000_000)
        self.assertIn(f"{record['energy_j']:.1f} J for 3000 steps", end.stdout)

    def test_killed_in_the_middle_it_leaves_no_job_and_no_clock(self):
        found = self.board.gpu_limits_hz()
        command = [ROOT / "build/venv/bin/python3", "-B", self.example, "--steps", "1000000000"]
        environment = {**os.environ, "SWEETSPOT_SOCKET": str(self.daemon.socket)}
        trainer = self.end_with_test(subprocess.Popen(command, env=environment))
        eventually(lambda: [job for job in self.daemon.jobs() if job["steps"]])
        eventually(lambda: self.board.gpu_limits_hz() == (714_000_000, 714_000_000))
        trainer.kill()
        eventually(lambda: not self.daemon.jobs() and self.board.gpu_limits_hz() == found)


if __name__ == "__main__":
    main()
