# SPDX-License-Identifier: Apache-2.0
"""Each rule is held against the real tree, and against a small tree that breaks it: a rule that cannot fail holds nothing.

Usage: test_rules.py ROOT [unittest argument]…
"""

import pathlib
import sys
import tempfile
import unittest

import document_rules
import layering
import text_rules
from repository import Repository

SPDX_LINE = f"// {text_rules.SPDX}\n"
root = pathlib.Path(__file__).resolve().parents[2]


class RuleTest(unittest.TestCase):
    def assert_holds(self, rule):
        found = rule(Repository(root))
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def faults_of(self, rule, **tree):
        """The faults a rule finds in a tree given as {path: text}; keyword `files` holds it."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in tree["files"].items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return rule(Repository(folder))

    def assert_finds(self, rule, name, text):
        self.assertEqual(len(self.faults_of(rule, files={name: text})), 1, f"{name}: {text!r}")

    def assert_accepts(self, rule, name, text):
        self.assertEqual(self.faults_of(rule, files={name: text}), [])


class ModulesIncludeOnlyWhatTheyMay(RuleTest):
    def test_the_repository_holds_it(self):
        self.assert_holds(layering.faults)

    def test_breaches_are_found(self):
        for name, line in [
            ("src/core/a.cpp", "#include <unistd.h>"),
            ("src/core/a.cpp", "#include <sys/stat.h>"),
            ("src/core/a.cpp", "#include <thread>"),
            ("src/core/a.cpp", "#include <nlohmann/json.hpp>"),
            ("src/core/a.cpp", '#include "sweetspot/wire/config.hpp"'),
            ("src/core/a.cpp", "auto now = std::chrono::steady_clock::now();"),
            ("include/sweetspot/core/a.hpp", "auto now = std::chrono::system_clock::now();"),
            ("include/sweetspot/wire/a.hpp", "#include <nlohmann/json_fwd.hpp>"),
            ("src/wire/a.cpp", "#include <sys/socket.h>"),
            ("src/platform/a.cpp", "#include <spdlog/spdlog.h>"),
            ("src/platform/a.cpp", "#include <systemd/sd-event.h>"),
            ("src/platform/a.cpp", "#include <nlohmann/json.hpp>"),
            ("src/service/a.cpp", "#include <CLI/CLI.hpp>"),
            ("src/client/a.cpp", "#include <sweetspot/service/loop.hpp>"),
            ("src/load/a.cu", '#include "sweetspot/platform/rails.hpp"'),
            ("include/sweetspot/load/a.hpp", "#include <cuda_runtime.h>"),
            ("src/simulator/a.cpp", '#include "sweetspot/platform/rails.hpp"'),
            ("src/service/a.cpp", '#include "platform/private.hpp"'),
            ("src/apps/sweetspot/main.cpp", '#include "wire/private.hpp"'),
            ("src/unheard_of/a.cpp", ""),
        ]:
            with self.subTest(name=name, line=line):
                self.assert_finds(layering.faults, name, line + "\n")

    def test_what_the_table_allows_is_accepted(self):
        for name, line in [
            ("include/sweetspot/core/a.hpp", "#include <tl/expected.hpp>"),
            ("src/wire/a.cpp", "#include <nlohmann/json.hpp>"),
            ("src/service/a.cpp", '#include "sweetspot/platform/rails.hpp"'),
            ("src/service/a.cpp", '#include "service/private.hpp"'),
            ("src/service/a.cpp", '#include "beside.hpp"'),
            ("src/apps/sweetspotd/main.cpp", '#include "service/daemon.hpp"'),
            ("src/load/a.cu", "#include <cublas_v2.h>"),
            ("src/simulator/a.cpp", "#include <fuse3/fuse_lowlevel.h>"),
            ("src/apps/sweetspot/main.cpp", "#include <CLI/CLI.hpp>"),
        ]:
            with self.subTest(name=name, line=line):
                self.assert_accepts(layering.faults, name, line + "\n")


class CodeCarriesItsLicence(RuleTest):
    def test_the_repository_holds_it(self):
        self.assert_holds(text_rules.missing_spdx)

    def test_breaches_are_found(self):
        self.assert_finds(text_rules.missing_spdx, "src/core/a.cpp", "int a;\n")
        self.assert_finds(text_rules.missing_spdx, "scripts/a", "#!/bin/sh\ntrue\n")
        self.assert_finds(text_rules.missing_spdx, "tests/vm/kmod/a.c", SPDX_LINE)
        self.assert_accepts(text_rules.missing_spdx, "scripts/a", f"#!/bin/sh\n# {text_rules.SPDX}\n")
        self.assert_accepts(text_rules.missing_spdx, "tests/vm/kmod/a.c", f"// {text_rules.KERNEL_SPDX}\n")


class FilesStayShort(RuleTest):
    def test_the_repository_holds_it(self):
        self.assert_holds(text_rules.long_files)

    def test_breaches_are_found(self):
        self.assert_finds(text_rules.long_files, "src/core/a.cpp", "\n" * (text_rules.MOST_LINES + 1))
        self.assert_accepts(text_rules.long_files, "src/core/a.cpp", "\n" * text_rules.MOST_LINES)
        self.assert_finds(text_rules.long_files, "tests/core/a.cpp", "\n" * (text_rules.MOST_LINES_OF_A_TEST + 1))


class NothingIsLeftUnfinished(RuleTest):
    def test_the_repository_holds_it(self):
        self.assert_holds(text_rules.unfinished_words)

    def test_breaches_are_found(self):
        for word in ["TODO: later", "FIXME", "XXX", "a stub", "a placeholder"]:
            self.assert_finds(text_rules.unfinished_words, "src/core/a.cpp", f"// {word}\n")
        self.assert_accepts(text_rules.unfinished_words, "src/core/a.cpp", 'mkdtemp("sweetspot-XXXXXX");\n')


class TypesSayWhatTheyAre(RuleTest):
    def test_the_repository_holds_it(self):
        self.assert_holds(text_rules.vague_types)

    def test_breaches_are_found(self):
        for declaration in ["class ClockManager {};", "struct BoardInfo {};", "enum class JobData {};", "using Util = int;"]:
            self.assert_finds(text_rules.vague_types, "src/core/a.cpp", declaration + "\n")
        self.assert_accepts(text_rules.vague_types, "src/core/a.cpp", "struct Database {};\n")


class NoFileKnowsSomebodysMachine(RuleTest):
    def test_the_repository_holds_it(self):
        self.assert_holds(text_rules.machine_paths)

    def test_breaches_are_found(self):
        for text in ["cd /home/somebody/sweetspotd", "see /home/somebody/notes", "`/root/x`", 'open("/tmp/mine.txt")']:
            self.assert_finds(text_rules.machine_paths, "docs/a.md", text + "\n")
        for text in ["a network/work split", "${TMPDIR:-/tmp}/x", "sysfs-root/sys"]:
            self.assert_accepts(text_rules.machine_paths, "docs/a.md", text + "\n")


class TestsDoNotSleep(RuleTest):
    def test_the_repository_holds_it(self):
        self.assert_holds(text_rules.sleeping_tests)

    def test_breaches_are_found(self):
        self.assert_finds(text_rules.sleeping_tests, "tests/core/a.cpp", "std::this_thread::sleep_for(1s);\n")
        self.assert_finds(text_rules.sleeping_tests, "tests/system/a.py", "time.sleep(1)\n")
        self.assert_accepts(text_rules.sleeping_tests, "tests/support/wait_until.cpp", "std::this_thread::sleep_for(1ms);\n")


class TestsRunAndCanFail(RuleTest):
    def test_the_repository_holds_it(self):
        self.assert_holds(text_rules.idle_tests)

    def test_breaches_are_found(self):
        for line in ["TEST(Clock, DISABLED_Pins) {", "GTEST_SKIP();", "EXPECT_TRUE(true);"]:
            self.assert_finds(text_rules.idle_tests, "tests/core/a.cpp", line + "\n")
        self.assert_accepts(text_rules.idle_tests, "tests/core/a.cpp", 'GTEST_SKIP() << "no /dev/fuse";\n')


class DocumentsLinkToFilesThatExist(RuleTest):
    def test_the_repository_holds_it(self):
        self.assert_holds(document_rules.broken_links)

    def test_breaches_are_found(self):
        self.assert_finds(document_rules.broken_links, "docs/a.md", "see [the other](other.md)\n")
        self.assert_accepts(document_rules.broken_links, "docs/a.md", "[a](a.md#top) [b](#b) [c](https://varlink.org)\n")


class DocumentsNameScriptsThatExist(RuleTest):
    def test_the_repository_holds_it(self):
        self.assert_holds(document_rules.missing_scripts)

    def test_breaches_are_found(self):
        self.assert_finds(document_rules.missing_scripts, "README.md", "    scripts/frobnicate --now\n")
        tree = {"README.md": "run `scripts/test`\n", "scripts/test": "#!/bin/sh\n"}
        self.assertEqual(self.faults_of(document_rules.missing_scripts, files=tree), ["README.md:1: not executable: scripts/test"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
