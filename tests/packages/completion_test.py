# SPDX-License-Identifier: Apache-2.0
"""The shells complete what the programs take."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from cases import BUILD, ROOT, main

from manuals.help_text import read_program
from manuals.pages import PROGRAMS

# Completes the line as bash does for a Tab at its end, "=" being a word of its own; prints what it would offer, one a line.
BASH = r"""
source "$1"
read -r -a COMP_WORDS <<<"${2//=/ = }"
[[ $2 != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$2 COMP_POINT=${#2}
"$(complete -p "${COMP_WORDS[0]}" | sed 's/.*-F \([^ ]*\) .*/\1/')"
printf '%s\n' "${COMPREPLY[@]}"
"""

# A shell on a terminal of its own, in which Tab is pressed; what it would offer is printed by the wrapped `compadd`.
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; unsetopt zle_bracketed_paste beep; stty -echo 2>/dev/null'
zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -D -u -d $3/dump"
zpty -w shell 'compadd() {
  local -a found; builtin compadd -O found "$@"; print -rl -- $found >>'$3'/offers; builtin compadd "$@"; }
finish() { zle -I; print -r -- done >'$3'/done; BUFFER=; zle reset-prompt }
zle -N finish; bindkey "^T" finish; bindkey "^I" complete-word'
zpty -w shell "print ready >$3/ready"
wait_for() { local left=300; until [[ -e $1 ]]; do (( left-- )) || exit 1; zpty -r -t shell line; zselect -t 10; done }
zmodload zsh/zselect
wait_for $3/ready
zpty -w -n shell "$2"$'\t\x14'
wait_for $3/done
zpty -d shell
cat $3/offers 2>/dev/null
"""


class Bash(unittest.TestCase):
    def offers(self, line, cwd=None, path=None):
        script = ROOT / "completion/bash" / line.split()[0]
        environment = {"PATH": path or os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        command = ["bash", "--norc", "--noprofile", "-c", BASH, "bash", script, line]
        shown = subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True, check=True)
        self.assertEqual(shown.stderr, "")
        return sorted(shown.stdout.split())

    def test_commands_are_offered(self):
        for name, path in PROGRAMS.items():
            for command in read_program(BUILD / path).subcommands:
                self.assertIn(command.name, self.offers(f"{name} "))

    def test_every_option_is_offered_where_it_may_stand(self):
        for name, path in PROGRAMS.items():
            program = read_program(BUILD / path)
            for words, owner in [(name, program), *((f"{name} {command.name}", command) for command in program.subcommands)]:
                options = {name for option in owner.options() for name in option.names if name.startswith("--")}
                self.assertLessEqual(options, set(self.offers(f"{words} --")), words)

    def test_options_of_the_program_are_offered_behind_its_command(self):
        self.assertEqual(self.offers("sweetspot status --js"), ["--json"])

    def test_a_beginning_leaves_what_begins_so(self):
        self.assertEqual(self.offers("sweetspot st"), ["start", "status"])

    def test_the_value_of_an_option_is_no_command(self):
        self.assertIn("status", self.offers("sweetspot --socket run "))

    def test_words_that_the_help_lists_are_offered_as_values(self):
        self.assertEqual(self.offers("sweetspot run --policy "), ["adaptive", "ffg", "fixed", "mlg", "none", "tree"])
        self.assertEqual(self.offers("sweetspot run --policy=f"), self.offers("sweetspot run --policy f"))
        self.assertIn("agx-orin-64-jp6", self.offers("sweetspot explain --board agx"))

    def test_files_and_folders_are_offered_where_they_belong(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "spec.json").touch()
            (pathlib.Path(folder) / "spec.d").mkdir()
            self.assertEqual(self.offers("sweetspot run --spec spec", folder), ["spec.d", "spec.json"])
            self.assertEqual(self.offers("sweetspotd --sysfs-root spec", folder), ["spec.d"])
            self.assertEqual(self.offers("sweetspot-sim mount spec", folder), ["spec.d"])

    def test_boards_come_from_the_simulator_itself(self):
        programs = str((BUILD / PROGRAMS["sweetspot-sim"]).parent)
        self.assertIn("nano-jp4", self.offers("sweetspot-sim mount --board nano", path=f"{programs}:{os.environ['PATH']}"))

    def test_nothing_is_offered_for_a_value_that_only_people_know(self):
        self.assertEqual(self.offers("sweetspot run --layers "), [])

    def test_what_follows_two_dashes_is_a_command_of_its_own(self):
        self.assertIn("bash", self.offers("sweetspot run --policy ffg -- bas"))


class Zsh(unittest.TestCase):
    def setUp(self):
        if not shutil.which("zsh"):
            self.skipTest("no zsh")

    def offers(self, line):
        with tempfile.TemporaryDirectory() as folder:
            command = ["zsh", "-f", "-c", ZSH, "zsh", ROOT / "completion/zsh", line, folder]
            shown = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=150)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            return set(shown.stdout.split())

    def test_commands_are_offered(self):
        names = {command.name for command in read_program(BUILD / PROGRAMS["sweetspot"]).subcommands}
        self.assertLessEqual(names, self.offers("sweetspot "))

    def test_options_of_a_command_are_offered(self):
        self.assertLessEqual({"--policy", "--model", "--json"}, self.offers("sweetspot run --"))

    def test_options_of_the_daemon_are_offered(self):
        self.assertLessEqual({"--restore", "--check-config"}, self.offers("sweetspotd --"))

    def test_words_that_the_help_lists_are_offered_as_values(self):
        self.assertLessEqual({"mlg", "ffg", "fixed", "none", "tree", "adaptive"}, self.offers("sweetspot run --policy "))


if __name__ == "__main__":
    main()
