# SPDX-License-Identifier: Apache-2.0
"""Which of several processes of one training speaks for its board.

torchrun and accelerate start one process per GPU or per `--nproc_per_node`; a board has one GPU clock and one job.
"""

from __future__ import annotations

import os

# In the order of trust: torchrun and accelerate, then Slurm, Open MPI and MVAPICH.
_LOCAL_RANKS = ("LOCAL_RANK", "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK")


def is_spokesman() -> bool:
    """True for the first process of this node, and where nobody says that there are several."""
    for name in _LOCAL_RANKS:
        rank = os.environ.get(name)
        if rank is not None:
            return rank.strip() in ("", "0", "-1")
    return True
