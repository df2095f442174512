# SPDX-License-Identifier: Apache-2.0
"""What the callbacks log and print of a job, and what they write beside a checkpoint."""

from __future__ import annotations

import json
import os
import tempfile
from typing import Dict, Optional

from ._job import Job
from .messages import EnergyRecord


class Meter:
    """Turns the joules of a job so far into the figures of one log line: since the line before, and in all."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._at: Optional[float] = None
        self._joules = 0.0
        self._steps = 0

    def figures(self, steps: int, now: float) -> Dict[str, float]:
        """energy_j since the job's start, energy_j_per_step and mean_power_w since they were last told, gpu_clock_mhz.

        `now` in seconds of a monotonic clock. What was not measured is left out.
        """
        joules = self._job.energy()
        found: Dict[str, float] = {}
        if self._job.clock_hz is not None:
            found["gpu_clock_mhz"] = self._job.clock_hz / 1e6
        if joules is None:
            return found
        found["energy_j"] = joules
        if joules == self._joules:
            return found  # no sample since: the next line's figures are for both
        if steps > self._steps:
            found["energy_j_per_step"] = (joules - self._joules) / (steps - self._steps)
        if self._at is not None and now > self._at:
            found["mean_power_w"] = (joules - self._joules) / (now - self._at)
        self._at, self._joules, self._steps = now, joules, steps
        return found

    def begin(self, now: float) -> None:
        """The job starts now."""
        self._at = now


def one_line(record: Optional[EnergyRecord], clock_hz: Optional[int]) -> str:
    """The line printed at a job's end."""
    if record is None:
        return "sweetspotd: no record of this training's energy"
    clock = record["applied_hz"] or clock_hz
    parts = [f"{clock / 1e6:g} MHz" if clock else "clock left alone", f"{record['duration_s']:.1f} s"]
    joules, watts, steps = record["energy_j"], record["mean_power_w"], record["steps"]
    if joules is None:
        parts.append("energy not measured")
    else:
        parts.insert(1, f"{joules:.1f} J on {' + '.join(record['rails_counted'])}")
        if watts is not None:
            parts.append(f"{watts:.1f} W")
        if steps:
            parts.append(f"{joules / steps:.3g} J/step")
        if not record["energy_valid"]:
            parts.append(f"only {100 * record['coverage']:.0f} % of the time measured")
    return "sweetspotd: " + ", ".join(parts)


def write_record(record: EnergyRecord, folder: str) -> None:
    """energy.json in the folder, in one piece or not at all. Raises OSError."""
    os.makedirs(folder, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".tmp", delete=False, encoding="utf-8") as draft:
        json.dump(record, draft, indent=2)
        draft.write("\n")
    os.chmod(draft.name, 0o644)
    os.replace(draft.name, os.path.join(folder, "energy.json"))


_BEGIN, _END = "<!-- sweetspotd energy -->", "<!-- /sweetspotd energy -->"


def model_card_section(record: EnergyRecord) -> str:
    """Markdown for a model card; says which rails were counted and which were not."""
    joules = record["energy_j"]
    lines = [_BEGIN, "## Energy", "", "| | |", "|---|---|"]
    rows = {
        "Energy of the fine-tuning run": f"{joules:.1f} J ({joules / 3600:.2f} Wh)" if joules is not None else "not measured",
        "Mean power": f"{record['mean_power_w']:.1f} W" if record["mean_power_w"] is not None else "not measured",
        "Duration": f"{record['duration_s']:.1f} s",
        "Optimizer steps": str(record["steps"]) if record["steps"] is not None else "not reported",
        "GPU clock": f"{record['applied_hz'] / 1e6:g} MHz" if record["applied_hz"] else "not pinned",
        "Board": record["board"] or "unknown",
        "Power mode": record["power_mode"] or "unknown",
        "Rails counted": ", ".join(record["rails_counted"]) or "none",
        "Rails left out": ", ".join(record["rails_left_out"]) or "none",
        "Share of the time measured": f"{100 * record['coverage']:.1f} %",
    }
    lines += [f"| {name} | {value} |" for name, value in rows.items()]
    return "\n".join([*lines, "", "Measured by sweetspotd on the board's own power sensors.", _END, ""])


def write_model_card_section(record: EnergyRecord, folder: str) -> None:
    """Puts the section into the folder's README.md, in place of an earlier one or at its end. Raises OSError."""
    path = os.path.join(folder, "README.md")
    text = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as card:
            text = card.read()
    section = model_card_section(record)
    before, begin, rest = text.partition(_BEGIN)
    if begin:
        after = rest.partition(_END)[2].lstrip("\n")
        text = before + section + after
    else:
        text = (text.rstrip("\n") + "\n\n" if text.strip() else "") + section
    os.makedirs(folder, exist_ok=True)
    with open(path, "w", encoding="utf-8") as card:
        card.write(text)
