# SPDX-License-Identifier: Apache-2.0
"""The shapes of what goes over the socket, as in io.sweetspotd.Governor.varlink. Unmeasured figures are None, never 0."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, TypedDict


class JobSpec(TypedDict, total=False):
    """What a training script says about its job. Everything may be left out."""

    name: str
    model_type: str
    layers: int
    hidden_size: int
    mean_sequence_length: float
    batch_size: int
    total_steps: int
    policy: str
    frequency_hz: int
    objective: str
    rails: List[str]
    max_slowdown: float
    finish_within_s: float
    energy_delay: bool
    pid: int
    lease_s: float
    tags: Dict[str, str]


class Decision(TypedDict):
    """Which clock a job gets, and why."""

    policy: str
    frequency_hz: Optional[int]
    reason: str
    path: List[str]
    clamped_from_hz: Optional[int]
    fallback: bool


class Rail(TypedDict):
    """What one power rail took."""

    name: str
    energy_j: Optional[float]
    mean_power_w: Optional[float]


class EnergyRecord(TypedDict):
    """What a finished job cost."""

    job_id: int
    name: Optional[str]
    decision: Decision
    applied_hz: Optional[int]
    share_at_clock: Optional[float]
    started: str
    duration_s: float
    steps: Optional[int]
    rails: List[Rail]
    energy_j: Optional[float]
    rails_counted: List[str]
    rails_left_out: List[str]
    mean_power_w: Optional[float]
    samples: int
    coverage: float
    longest_gap_s: float
    energy_valid: bool
    gpu_load_mean: Optional[float]
    shared_with: int
    share_j: Optional[float]
    power_mode: Optional[str]
    board: Optional[str]
    ended_by: str
    uid: int
    pid: int
    comm: str


class StartedJob(TypedDict):
    """The answer to StartJob. `state` is "pending" while the clock is not in force or the first sample not taken."""

    job_id: int
    decision: Decision
    applied_hz: Optional[int]
    state: str


Status = Dict[str, Any]
"""The answer to GetStatus: everything that `sweetspot status --json` shows."""
