# SPDX-License-Identifier: Apache-2.0
"""Clocks as people write them: 612MHz, 0.612GHz, or bare Hz, as everywhere in sweetspotd."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Union

_CLOCK = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(MHz|GHz|kHz|Hz|)\s*", re.IGNORECASE)
_UNITS = {"": 1, "hz": 1, "khz": 1_000, "mhz": 1_000_000, "ghz": 1_000_000_000}


def hertz(clock: Union[str, int]) -> int:
    """The clock in Hz. Raises ValueError for what is none; a bare number below 1,000,000 is surely not meant as Hz."""
    if isinstance(clock, int):
        value = clock
    else:
        match = _CLOCK.fullmatch(clock)
        if not match:
            raise ValueError(f"clock {clock!r}: expected 612MHz, 0.612GHz or Hz")
        value = int(Decimal(match.group(1)) * _UNITS[match.group(2).lower()])
    if value < 1_000_000:
        raise ValueError(f"clock {clock!r}: expected 612MHz, 0.612GHz or Hz, at least 1 MHz")
    return value
