# SPDX-License-Identifier: Apache-2.0
"""All texts that are made of the programs' --help and of other sources: which, of what, and where they lie."""

import re

from . import bash_completion, parts, zsh_completion
from .help_text import read_program
from .page import page

PROGRAMS = {
    "sweetspotd": "src/apps/sweetspotd/sweetspotd",
    "sweetspot": "src/apps/sweetspot/sweetspot",
    "sweetspot-sim": "src/apps/sweetspot-sim/sweetspot-sim",
}
PAGE_OF = {"sweetspotd": "sweetspotd.8", "sweetspot": "sweetspot.1", "sweetspot-sim": "sweetspot-sim.1"}


def read_programs(build):
    return {name: read_program(build / path) for name, path in PROGRAMS.items()}


def texts(root, programs):
    """Path from the root of the tree -> the text that belongs there."""
    version = re.search(r"^project\(sweetspotd VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)
    made = {}
    for name, command in programs.items():
        made[f"man/{PAGE_OF[name]}"] = _page(root, PAGE_OF[name], _parts_of(command), version)
        made[f"completion/bash/{name}"] = bash_completion.script(command)
        made[f"completion/zsh/_{name}"] = zsh_completion.script(command)
    configuration = (root / "docs/configuration.md").read_text()
    made["man/sweetspotd-config.5"] = _page(
        root,
        "sweetspotd-config.5",
        {"keys": parts.configuration_keys(configuration), "rules": parts.configuration_rules(configuration)},
        version,
    )
    interface = (root / "config/io.sweetspotd.Governor.varlink").read_text()
    made["man/io.sweetspotd.Governor.7"] = _page(
        root, "io.sweetspotd.Governor.7", {"interface": parts.interface(interface)}, version
    )
    return made


def _parts_of(command):
    found = {"synopsis": parts.synopsis(command), "options": parts.options(command), "footer": parts.footer(command)}
    if command.subcommands:
        found["commands"] = parts.commands(command)
    if any(parts.JOB_GROUP in each.groups for each in command.subcommands):
        found["job-options"] = parts.job_options(command)
    return found


def _page(root, name, page_parts, version):
    return page((root / f"docs/man/{name}.md").read_text(), page_parts, version)
