# SPDX-License-Identifier: Apache-2.0
"""sweetspotd.job() with a real daemon: it starts, counts, measures and ends, and what goes wrong leaves the training alone."""

import asyncio
import os
import pathlib
import threading
import time

from support import DEEP, FREE_HZ, PINNED_HZ, DaemonTest, governed_board

import sweetspotd

eventually = governed_board.eventually


def worker_touches(job):
    """In a forked child: does what it could do to its parent's job, and whether it has a hold on it."""
    try:
        job.progress(7)
        job.end()
        links = pathlib.Path("/proc/self/fd").iterdir()
        sockets = [link for link in links if link.is_socket() and int(link.name) > 2]
        return job.energy() is not None or sockets
    except BaseException:  # noqa: BLE001  (a child of the test must not run the test's clean-up)
        return True


class WithABlock(DaemonTest):
    def test_a_block_holds_the_clock_and_leaves_a_record(self):
        with sweetspotd.job(name="block", **DEEP) as job:
            self.assert_limits(PINNED_HZ)
            self.assertEqual(job.clock_hz, 714_000_000)
            self.assertIn("layers 24 > 7", job.decision["path"])
            job.progress(5)
        self.assert_limits(FREE_HZ)
        self.assertEqual((job.wait_for_record(60)["name"], job.wait_for_record(60)["steps"], job.wait_for_record(60)["ended_by"]), ("block", 5, "client"))
        self.assertEqual(self.warnings.texts, [])

    def test_the_last_steps_are_counted_however_quick_they_were(self):
        with sweetspotd.job(**DEEP) as job:
            for step in range(1, 1001):
                job.progress(step)
        self.assertEqual(job.wait_for_record(60)["steps"], 1000)

    def test_energy_grows_while_the_job_runs(self):
        with sweetspotd.job(**DEEP) as job:
            first = eventually(job.energy)
            eventually(lambda: job.energy() > first)
        self.assertGreaterEqual(job.wait_for_record(60)["energy_j"], first)

    def test_an_exception_ends_the_job_and_goes_on(self):
        with self.assertRaises(KeyboardInterrupt), sweetspotd.job(**DEEP) as job:
            raise KeyboardInterrupt
        self.assertEqual(job.wait_for_record(60)["ended_by"], "client")
        self.assert_limits(FREE_HZ)

    def test_a_decorated_function_is_a_job_each_time(self):
        seen = []

        @sweetspotd.job(**DEEP)
        def train(answer):
            seen.append(self.daemon.jobs()[0]["job_id"])
            return answer

        self.assertEqual([train(1), train(2)], [1, 2])
        self.assertEqual(len(set(seen)), 2)
        self.assertEqual(self.daemon.jobs(), [])

    def test_a_coroutine_is_a_job_while_it_runs(self):
        @sweetspotd.job(**DEEP)
        async def decorated():
            return self.daemon.jobs()

        async def block():
            async with sweetspotd.job(**DEEP) as job:
                job.progress(1)
            return job.record

        self.assertEqual(len(asyncio.run(decorated())), 1)
        self.assertEqual(asyncio.run(block())["steps"], 1)

    def test_threads_share_a_job(self):
        with sweetspotd.job(**DEEP) as job:
            threads = [threading.Thread(target=lambda: [job.progress(9), job.energy()]) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(job.wait_for_record(60)["steps"], 9)

    def test_a_forked_worker_neither_ends_nor_holds_the_job(self):
        with sweetspotd.job(**DEEP) as job:
            worker = os.fork()
            if worker == 0:
                os._exit(1 if worker_touches(job) else 0)
            self.assertEqual(os.waitpid(worker, 0)[1], 0)
            self.assertEqual([running["job_id"] for running in self.daemon.jobs()], [job.id])
        self.assertIsNone(job.wait_for_record(60)["steps"])

    def test_inside_a_run_it_joins_that_job(self):
        with sweetspotd.Client() as outer:
            outer_id = outer.start_job(DEEP)["job_id"]
            self.set_variable("SWEETSPOT_JOB", str(outer_id))
            with sweetspotd.job(layers=2) as job:
                self.assertTrue(job.joined)
                job.progress(3)
                eventually(lambda: self.daemon.jobs()[0]["steps"] == 3)
            self.assertEqual([running["job_id"] for running in self.daemon.jobs()], [outer_id])
            self.assertEqual(outer.end_job(outer_id)["steps"], 3)

    def test_another_rank_of_the_board_starts_nothing(self):
        self.set_variable("LOCAL_RANK", "1")
        with sweetspotd.job(**DEEP) as job:
            job.progress(1)
            self.assertEqual(self.daemon.jobs(), [])
        self.assertIsNone(job.record)

    def test_a_loop_is_a_job_of_its_batches(self):
        tracked = sweetspotd.track([{"input_ids": [[5] * 14, [6] * 10]}] * 20, layers=24)
        for _ in tracked:
            pass
        record = tracked.job.wait_for_record(60)
        self.assertEqual(record["steps"], 20)
        self.assertEqual(record["decision"]["frequency_hz"], 714_000_000)

    def test_a_loop_that_breaks_off_ends_its_job(self):
        tracked = sweetspotd.track(range(100), layers=24)
        for batch in tracked:
            if batch == 9:
                break
        eventually(lambda: not self.daemon.jobs())

    def test_when_the_daemon_comes_back_the_rest_is_a_new_job(self):
        with sweetspotd.job(**DEEP) as job:
            job.progress(10)
            first = job.id
            self.daemon.kill()
            with self.daemon:
                step = 10

                def runs_again():
                    nonlocal step
                    step += 1
                    job.progress(step)
                    return job.id is not None and self.daemon.jobs()

                eventually(lambda: time.sleep(0.05) or runs_again())
                self.assert_limits(PINNED_HZ)
                job.end()
                self.assertLess(job.wait_for_record(60)["steps"], step)
        self.assertIsNotNone(first)
        self.assertEqual(len(self.warnings.texts), 1)


class OtherCalls(DaemonTest):
    def test_explain_answers_and_starts_nothing(self):
        self.assertEqual(sweetspotd.explain(**DEEP)["frequency_hz"], 714_000_000)
        self.assertEqual(sweetspotd.explain(policy="fixed", clock="612MHz")["frequency_hz"], 612_000_000)
        self.assertEqual(self.daemon.jobs(), [])

    def test_a_refusal_names_the_field(self):
        with self.assertRaises(sweetspotd.Refused) as refused:
            sweetspotd.explain(policy="fastest")
        self.assertEqual(refused.exception.parameters["field"], "policy")

    def test_events_can_be_watched(self):
        with sweetspotd.Client() as client:
            events = client.watch(50)
            self.assertEqual(next(events)["kind"], "sample")
            with sweetspotd.job(**DEEP):
                kinds = iter(event["kind"] for event in events)
                self.assertIn("job_started", kinds)
            events.close()


if __name__ == "__main__":
    governed_board.main()
