# SPDX-License-Identifier: Apache-2.0
"""What Client raises. A Job raises none of these: it warns once and lets the training go on."""

from __future__ import annotations

from typing import Any, Mapping


class SweetspotError(Exception):
    """The daemon could not be asked, or said no."""


class Unavailable(SweetspotError):
    """Nobody answers at the socket: not installed, stopped, not permitted, hung. The text names the fix."""


class Refused(SweetspotError):
    """The daemon answered with an error."""

    def __init__(self, name: str, parameters: Mapping[str, Any]) -> None:
        """`name` is the varlink error's full name, such as io.sweetspotd.Governor.NoSuchJob."""
        self.name = name
        self.parameters = dict(parameters)
        details = ", ".join(f"{key}: {value}" for key, value in self.parameters.items())
        super().__init__(f"{name.rpartition('.')[2]} ({details})" if details else name.rpartition(".")[2])
