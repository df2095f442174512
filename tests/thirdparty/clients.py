# SPDX-License-Identifier: Apache-2.0
"""Where the clients that others wrote are, and why one cannot be had."""

import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from governed_board import PATIENCE_S, ROOT  # noqa: E402

# `--timeout`, `--graceful` and `list-methods` came with it.
FIRST_VARLINKCTL = 257


def import_varlink():
    """PyPI's varlink from build/venv, or None."""
    packages = next((ROOT / "build/venv/lib").glob("python3*/site-packages"), None)
    if packages is None:
        return None
    sys.path.append(str(packages))
    try:
        import varlink
    except ImportError:
        return None
    return varlink


def find_varlinkctl():
    """Path of a varlinkctl that runs and is new enough, or None."""
    for program in (ROOT / ".cache/varlinkctl", shutil.which("varlinkctl")):
        if program is None or not pathlib.Path(program).exists():
            continue
        version = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
        number = re.match(r"systemd (\d+)", version.stdout)
        if version.returncode == 0 and number and int(number.group(1)) >= FIRST_VARLINKCTL:
            return pathlib.Path(program)
    return None


varlink = import_varlink()
varlinkctl = find_varlinkctl()
no_varlink = None if varlink else "no varlink of PyPI in build/venv; scripts/venv puts it there"
no_varlinkctl = None if varlinkctl else f"no varlinkctl {FIRST_VARLINKCTL}; scripts/fetch-varlinkctl gets one"


def run_varlinkctl(*arguments):
    """Runs it to its end; exit status, stdout and stderr are the caller's."""
    command = [varlinkctl, "--no-pager", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)


def varlinkctl_call(socket, method, parameters, *options):
    return run_varlinkctl(*options, "--json=short", "call", socket, method, json.dumps(parameters))
