# SPDX-License-Identifier: Apache-2.0
"""`sweetspot report` writes one well-made page, whole or not at all.

Usage: report_command_test.py SWEETSPOT
"""

import json
import pathlib
import resource
import signal
import sys
import tempfile
import unittest

import report_page

PROGRAM = sys.argv.pop(1)


class WithAPage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = report_page.make_page(PROGRAM, self.folder)

    def report(self, *arguments, **options):
        return report_page.sweetspot(PROGRAM, "report", self.folder / "curves.csv", "--state-dir", self.folder, *arguments, **options)


class ThePage(WithAPage):
    def setUp(self):
        super().setUp()
        self.page = report_page.Page(self.path.read_text())

    def test_every_element_is_closed(self):
        self.assertEqual(self.page.faults, [])

    def test_every_chart_has_a_point_for_every_clock_that_was_run(self):
        self.assertEqual(self.page.points(), report_page.POINTS)

    def test_ids_are_unique_and_what_refers_to_one_finds_it(self):
        ids, wanted = [], []

        def walk(element):
            for name, value in element.attributes.items():
                if name == "id":
                    ids.append(value)
                elif name in ("aria-labelledby", "aria-describedby"):
                    wanted.extend(value.split())
                elif name == "href":
                    wanted.append(value.removeprefix("#"))
            for child in element.children:
                walk(child)

        walk(self.page.root)
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual(set(wanted) - set(ids), set())
        self.assertGreater(len(wanted), 10)

    def test_every_drawing_says_what_it_shows(self):
        drawings = list(self.page.root.all("svg"))
        self.assertEqual(len(drawings), len(report_page.POINTS) + 2, "charts, bars and a tree")
        for svg in drawings:
            self.assertEqual(svg.attributes["role"], "img")
            self.assertEqual([child.name for child in svg.children[:2]], ["title", "desc"])
            self.assertTrue(all(child.text.strip() for child in svg.children[:2]), svg.attributes["id"])

    def test_every_drawing_has_a_table_near_it(self):
        for figure in self.page.root.all("figure"):
            near = figure.parent
            self.assertTrue(any(True for _ in near.all("table")), near.attributes)

    def test_tables_have_captions_and_their_headings_a_scope(self):
        for table in self.page.root.all("table"):
            self.assertEqual(table.children[0].name, "caption")
            for heading in table.all("th"):
                self.assertIn(heading.attributes.get("scope"), ("col", "row"))

    def test_a_name_that_is_a_program_stays_a_name(self):
        self.assertEqual(list(self.page.root.all("script")), [])
        self.assertIn(report_page.HOSTILE, {heading.text for heading in self.page.root.all("h3")})

    def test_labels_say_what_kind_of_figures_the_file_has(self):
        labels = [span.text for span in self.page.root.all("span") if "label" in span.classes()]
        self.assertEqual(labels, ["simulated", "origin not said"] * 3, "of the page, of the board's means, of each curve")


class TheFile(WithAPage):
    def test_what_was_written_is_told_as_json(self):
        done = report_page.sweetspot(
            PROGRAM, "--json", "report", self.folder / "curves.csv", "--state-dir", self.folder, "-o", self.path)
        told = json.loads(done.stdout)
        self.assertEqual(told["bytes"], self.path.stat().st_size)
        self.assertEqual((told["workloads"], told["workloads_drawn"], told["trees"]), (2, 2, 1))
        self.assertFalse(told["service"])

    def test_without_a_file_the_page_is_printed(self):
        done = self.report()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.startswith("<!DOCTYPE html>") and done.stdout.endswith("</html>\n"))

    def test_a_page_that_cannot_be_written_to_its_end_leaves_the_old_one(self):
        def little_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        before = self.path.read_text()
        done = self.report("-o", self.path, preexec_fn=little_room)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{self.path}: File too large", done.stderr)
        self.assertEqual(self.path.read_text(), before)
        self.assertEqual(sorted(each.name for each in self.folder.iterdir()), ["curves.csv", "report.html"])

    def test_what_cannot_be_written_or_read_is_named(self):
        done = self.report("-o", self.folder / "missing" / "report.html")
        self.assertEqual(done.returncode, 1)
        self.assertIn("No such file or directory", done.stderr)
        done = self.report("-o", self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{self.folder}: no regular file", done.stderr)
        done = self.report("--tree", self.folder / "no-tree.json")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no-tree.json: No such file or directory", done.stderr)

    def test_a_tree_that_was_fitted_is_drawn_and_compared(self):
        tree = self.folder / "mine.json"
        tree.write_text(json.dumps({
            "format": "sweetspot-tree", "version": 1, "name": "mine", "source": "test", "features": [{"name": "layers"}],
            "classes_hz": [510_000_000, 816_000_000],
            "nodes": [{"feature": "layers", "threshold": 12, "below": 1, "above": 2}, {"class": 0}, {"class": 1}],
        }))
        done = self.report("--tree", tree)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = report_page.Page(done.stdout)
        self.assertEqual(page.faults, [])
        self.assertIn("tree:mine", [heading.text for heading in page.root.all("h3")])
        marks = {label.text for label in page.root.all("text") if "mark-label" in label.classes()}
        self.assertIn("tree:mine", marks)

    def test_it_needs_no_curves(self):
        done = report_page.sweetspot(PROGRAM, "report", "--state-dir", self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = report_page.Page(done.stdout)
        self.assertEqual(page.faults, [])
        self.assertEqual([heading.text for heading in page.root.all("h2")], ["Decision trees", "Jobs that ran", "Board", "Method"])


if __name__ == "__main__":
    unittest.main()
