# SPDX-License-Identifier: Apache-2.0
"""Man pages and completions say what the programs say."""

import copy
import os
import re
import shutil
import subprocess
import unittest

from cases import BUILD, ROOT, main

from manuals.help_text import parse_help
from manuals.pages import read_programs, texts

PAGES = sorted((ROOT / "man").iterdir())
ADVICE = "run scripts/generate-manuals and commit what it wrote"


class CommittedTexts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.programs = read_programs(BUILD)

    def test_are_what_the_programs_help_makes_of_them(self):
        for path, text in texts(ROOT, self.programs).items():
            committed = ROOT / path
            self.assertTrue(committed.exists(), f"{path} is missing: {ADVICE}")
            self.assertEqual(committed.read_text(), text, f"{path}: {ADVICE}")

    def test_there_are_no_others(self):
        committed = {str(path.relative_to(ROOT)) for folder in ("man", "completion") for path in (ROOT / folder).rglob("*.*")}
        self.assertLessEqual(committed, set(texts(ROOT, self.programs)))

    def test_an_option_that_changes_changes_page_and_completions(self):
        programs = copy.deepcopy(self.programs)
        programs["sweetspotd"].groups["Options"][1].names[0] = "--other"
        made = texts(ROOT, programs)
        for path in ("man/sweetspotd.8", "completion/bash/sweetspotd", "completion/zsh/_sweetspotd"):
            self.assertNotEqual((ROOT / path).read_text(), made[path], path)


class Pages(unittest.TestCase):
    def test_there_is_one_for_each_program_the_configuration_and_the_interface(self):
        self.assertEqual(
            [page.name for page in PAGES],
            ["io.sweetspotd.Governor.7", "sweetspot-sim.1", "sweetspot.1", "sweetspotd-config.5", "sweetspotd.8"],
        )

    def test_man_has_no_warning(self):
        if not shutil.which("man"):
            self.skipTest("no man; the package is called man-db")
        for page in PAGES:
            shown = subprocess.run(
                ["man", "--warnings", "--encoding=UTF-8", "--local-file", "--troff-device=utf8", "--ditroff", page],
                env={**os.environ, "LC_ALL": "C.UTF-8", "MANROFFSEQ": ""},
                capture_output=True,
                check=True,
            )
            self.assertEqual(shown.stderr, b"", page.name)

    def test_mandoc_has_no_objection(self):
        if not shutil.which("mandoc"):
            self.skipTest("no mandoc; the package is called so")
        for page in PAGES:
            checked = subprocess.run(["mandoc", "-T", "lint", "-W", "style", page], capture_output=True, text=True, check=False)
            self.assertEqual((checked.stdout, checked.returncode), ("", 0), page.name)

    def test_pages_they_refer_to_exist(self):
        ours = {re.sub(r"\.(\d)$", r"(\1)", page.name) for page in PAGES}
        others = {"systemctl(1)", "journalctl(1)", "fusermount3(1)"}
        for page in PAGES:
            named = {name.replace("\\", "") + f"({number})" for name, number in re.findall(r"\\fB([\w.\\-]+)\\fR\((\d)\)", page.read_text())}
            self.assertLessEqual(named, ours | others, page.name)


class HelpText(unittest.TestCase):
    TEXT = (
        "Does a thing.\n"
        "Usage: tool [OPTIONS] DIR\n\n"
        "Positionals:\n"
        "  DIR TEXT REQUIRED           Where\n\n"
        "Options:\n"
        "  -h,--help                   Print this help message and exit\n"
        "  --speed FLOAT:FLOAT in [0.5 - 2]=1\n"
        "                              How fast\n"
        "  --name TEXT Needs: --socket What it is called\n"
        "  --quiet{false}              Says less\n\n\n"
        "Examples:\n"
        "  tool here\n"
    )

    def test_options_have_their_values_limits_and_conditions(self):
        tool = parse_help(self.TEXT)
        _, speed, name, quiet = tool.groups["Options"]
        self.assertEqual((speed.value, speed.limits, speed.default, speed.description), ("FLOAT", "0.5 to 2", "1", "How fast"))
        self.assertEqual((name.needs, name.description), ("--socket", "What it is called"))
        self.assertEqual((quiet.names, quiet.value), (["--quiet"], ""))
        self.assertTrue(tool.groups["Positionals"][0].required)

    def test_examples_are_no_options(self):
        tool = parse_help(self.TEXT)
        self.assertEqual(list(tool.groups), ["Positionals", "Options"])
        self.assertEqual(tool.footer, ["Examples:", "  tool here"])


if __name__ == "__main__":
    main()
