# SPDX-License-Identifier: Apache-2.0
"""How far the demo is: a bar redrawn in place on a terminal, a line per finished job elsewhere."""

import shutil
import sys
import time

BAR_CELLS = 24


class Progress:
    def __init__(self, jobs, out=sys.stderr):
        self._jobs = jobs
        self._finished = 0
        self._out = out
        self._terminal = out.isatty()
        self._began = time.monotonic()
        self._drawn = 0.0

    def update(self, job, share):
        """`share` of this job is done, 0 to 1."""
        if not self._terminal or time.monotonic() - self._drawn < 0.1:
            return
        self._drawn = time.monotonic()
        done = (self._finished + min(share, 1)) / self._jobs
        filled = round(done * BAR_CELLS)
        text = f"[{'#' * filled}{'.' * (BAR_CELLS - filled)}] {done:4.0%}  {self._elapsed()}  {job}"
        self._out.write("\r" + text[: shutil.get_terminal_size().columns - 1] + "\033[K")
        self._out.flush()

    def finish_job(self, job, outcome):
        self._finished += 1
        if self._terminal:
            self._drawn = 0.0
            self.update(job, 0)
        else:
            print(f"[{self._finished}/{self._jobs}] {self._elapsed()}  {job}: {outcome}", file=self._out, flush=True)

    def clear(self):
        if self._terminal:
            self._out.write("\r\033[K")
            self._out.flush()

    def _elapsed(self):
        seconds = int(time.monotonic() - self._began)
        return f"{seconds // 60}:{seconds % 60:02}"
