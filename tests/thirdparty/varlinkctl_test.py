# SPDX-License-Identifier: Apache-2.0
"""systemd's varlinkctl against the daemon. Usage: varlinkctl_test.py [TestCase]…   Exit status 77: skipped, with a reason."""

import json
import os
import subprocess
import unittest

import clients
from clients import run_varlinkctl, varlinkctl, varlinkctl_call
from governed_board import INTERFACE, PATIENCE_S, ROOT, BoardTest, code_blocks, eventually, main

DEBERTA = {"layers": 24, "mean_sequence_length": 14}
RECORD_SEPARATOR = "\x1e"  # varlinkctl --more writes a JSON text sequence, RFC 7464
INTERFACE_FILE = ROOT / "config" / f"{INTERFACE}.varlink"


def without_layout(interface_text):
    """What is left of an interface when spaces, line ends and empty comments do not count."""
    lines = [line.strip() for line in interface_text.splitlines()]
    return "".join("".join(line.split()) for line in lines if line != "#")


@unittest.skipIf(clients.no_varlinkctl, clients.no_varlinkctl or "")
class VarlinkctlTest(BoardTest):
    def call(self, method, parameters, *options):
        """The reply's parameters of a call that has to succeed."""
        end = varlinkctl_call(self.daemon.socket, f"{INTERFACE}.{method}", parameters, *options)
        self.assertEqual((end.returncode, end.stderr), (0, ""))
        return json.loads(end.stdout) if end.stdout else None

    def output(self, *arguments):
        """stdout of a command that has to succeed without complaint."""
        end = run_varlinkctl(*arguments)
        self.assertEqual((end.returncode, end.stderr), (0, ""), end.stdout)
        return end.stdout


class Introspection(VarlinkctlTest):
    def test_info(self):
        said = self.output("info", self.daemon.socket)
        self.assertRegex(said, r"Product: sweetspotd\n")
        self.assertIn(INTERFACE, said)

    def test_list_interfaces(self):
        self.assertEqual(self.output("list-interfaces", self.daemon.socket).split(), [INTERFACE, "org.varlink.service"])

    def test_list_methods(self):
        methods = ["EndJob", "Explain", "GetStatus", "ReportProgress", "StartJob", "Watch"]
        said = self.output("list-methods", self.daemon.socket, INTERFACE)
        self.assertEqual(said.split(), [f"{INTERFACE}.{method}" for method in methods])

    def test_introspect_shows_the_file_with_every_comment(self):
        said = self.output("introspect", self.daemon.socket, INTERFACE)
        self.assertEqual(without_layout(said), without_layout(INTERFACE_FILE.read_text(encoding="utf-8")))

    def test_introspect_accepts_varlinks_own_interface(self):
        self.assertIn("interface org.varlink.service", self.output("introspect", self.daemon.socket, "org.varlink.service"))

    def test_the_file_itself_is_valid(self):
        self.assertIn(f"interface {INTERFACE}", self.output("validate-idl", INTERFACE_FILE))


class Jobs(VarlinkctlTest):
    def test_explain(self):
        decision = self.call("Explain", {"spec": DEBERTA})["decision"]
        self.assertEqual((decision["policy"], decision["frequency_hz"]), ("mlg", 714_000_000))

    def test_a_job_by_pid_lasts_from_one_call_to_another(self):
        trainer = self.bystander()
        job = self.call("StartJob", {"spec": {**DEBERTA, "pid": trainer.pid}})["job_id"]
        eventually(lambda: self.board.gpu_limits_hz() == (714_000_000, 714_000_000))
        self.assertEqual(self.call("ReportProgress", {"job_id": job, "steps": 42}), {})
        record = self.call("EndJob", {"job_id": job})["record"]
        self.assertEqual((record["steps"], record["pid"], record["ended_by"]), (42, trainer.pid, "client"))

    def test_a_job_without_pid_ends_as_varlinkctl_does(self):
        self.call("StartJob", {"spec": DEBERTA})
        eventually(lambda: not self.daemon.jobs())

    def test_progress_may_be_reported_oneway(self):
        job = self.call("StartJob", {"spec": {"pid": self.bystander().pid}})["job_id"]
        self.assertIsNone(self.call("ReportProgress", {"job_id": job, "steps": 7}, "--oneway"))
        eventually(lambda: self.daemon.jobs()[0]["steps"] == 7)

    def test_status(self):
        self.assertEqual(self.call("GetStatus", {})["board"]["soc"], "tegra234")


class Watching(VarlinkctlTest):
    def test_samples_and_the_events_of_a_job_stream_in_order(self):
        events = self.watch()
        self.assertEqual(next(events)["kind"], "sample")
        job = self.call("StartJob", {"spec": {**DEBERTA, "pid": self.bystander().pid}})["job_id"]
        kinds = [event["kind"] for event in self.until(events, "clock_pinned")]
        self.assertIn("job_started", kinds)
        record = self.call("EndJob", {"job_id": job})["record"]
        # The clock goes back at once, the record waits for its last sample: either may be told first.
        last = self.until(events, "clock_restored", "job_ended")
        ended = [event for event in last if event["kind"] == "job_ended"]
        self.assertEqual([event["record"] for event in ended], [record])

    def watch(self):
        """The events of `varlinkctl --more`, as they come."""
        command = [varlinkctl, "--more", "--json=short", "call", self.daemon.socket, f"{INTERFACE}.Watch"]
        command.append('{"period_ms": 100}')
        process = self.end_with_test(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return (json.loads(line.strip(RECORD_SEPARATOR))["event"] for line in process.stdout)

    def until(self, events, *kinds):
        """The events until each of these kinds was seen."""
        seen = []
        for event in events:
            seen.append(event)
            if {event["kind"] for event in seen}.issuperset(kinds):
                return seen
        raise AssertionError(f"the stream ended before {kinds}: {[event['kind'] for event in seen]}")


class Errors(VarlinkctlTest):
    config = {"limits": {"jobs_per_uid": 1}}

    def assert_refused(self, error, parameters, method, call_parameters):
        """The parameters go to stdout, the error's name to stderr, and the exit status is not 0."""
        end = varlinkctl_call(self.daemon.socket, method, call_parameters)
        self.assertEqual(end.returncode, 1, end.stdout)
        self.assertIn(f"failed: {error}", end.stderr)
        self.assertEqual(json.loads(end.stdout), parameters)

    def test_each_has_its_name_its_parameters_and_an_exit_status(self):
        self.call("StartJob", {"spec": {"pid": self.bystander().pid}})
        whole = "expected a whole number from -9223372036854775808 to 9223372036854775807, not the text 'first'"
        policies = {"field": "policy", "expected": "mlg, ffg, fixed, none, tree or adaptive"}
        too_many = {"limit": 1, "whose": f"uid {os.geteuid()}"}
        varlinks = "org.varlink.service"
        for error, parameters, method, call_parameters in [
            (f"{INTERFACE}.NoSuchJob", {"job_id": 99}, f"{INTERFACE}.EndJob", {"job_id": 99}),
            (f"{INTERFACE}.InvalidSpec", policies, f"{INTERFACE}.StartJob", {"spec": {"policy": "fastest"}}),
            (f"{INTERFACE}.TooManyJobs", too_many, f"{INTERFACE}.StartJob", {"spec": {}}),
            (f"{varlinks}.ExpectedMore", {}, f"{INTERFACE}.Watch", {}),
            (f"{varlinks}.MethodNotFound", {"method": f"{INTERFACE}.MakeCoffee"}, f"{INTERFACE}.MakeCoffee", {}),
            (f"{varlinks}.InterfaceNotFound", {"interface": "io.other"}, "io.other.Method", {}),
            (f"{varlinks}.InvalidParameter", {"parameter": "job_id", "expected": whole}, f"{INTERFACE}.EndJob", {"job_id": "first"}),
        ]:
            with self.subTest(error=error):
                self.assert_refused(error, parameters, method, call_parameters)

    def test_an_expected_error_is_a_success(self):
        error = f"{INTERFACE}.NoSuchJob"
        end = varlinkctl_call(self.daemon.socket, f"{INTERFACE}.EndJob", {"job_id": 99}, f"--graceful={error}")
        self.assertEqual(end.returncode, 0, end.stderr)
        self.assertIn(error, end.stderr)


class Document(VarlinkctlTest):
    def test_the_commands_of_the_protocol_page_run_as_they_stand(self):
        blocks = code_blocks("protocol.md", "sh")
        self.assertGreaterEqual(len(blocks), 1)
        commands = "".join(blocks).replace(f"/run/sweetspotd/{INTERFACE}", str(self.daemon.socket))
        self.assertIn(str(self.daemon.socket), commands)
        (self.folder / "train.py").write_text("import signal\nsignal.pause()\n", encoding="utf-8")
        (self.folder / "bin").mkdir()
        (self.folder / "bin/varlinkctl").symlink_to(varlinkctl)
        script = f"set -eu\ntrap 'kill $(jobs -p)' EXIT\n{commands}"
        environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        end = subprocess.run(
            ["bash", "-c", script],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
        self.assertEqual(end.returncode, 0, end.stdout + end.stderr)
        replies = [json.loads(line) for line in end.stdout.replace(RECORD_SEPARATOR, "").split("\n") if line.startswith("{")]
        self.assertEqual(replies[0]["decision"]["frequency_hz"], 714_000_000)
        # Where the daemon is slow, the pin is told after the first sample or before it.
        self.assertIn("sample", [reply["event"]["kind"] for reply in replies if "event" in reply])
        record = next(reply["record"] for reply in replies if "record" in reply)
        self.assertEqual((record["steps"], record["ended_by"]), (100, "client"))
        # The shell's child may not be Python yet when the job is started for its pid.
        self.assertIn(record["comm"], ("python3", "bash"))


if __name__ == "__main__":
    main()
