# SPDX-License-Identifier: Apache-2.0
"""All scenarios, in the order in which they run."""

import after_restart
import bench
import clock
import deaths
import energy
import handover
import package
import service

FIRST_BOOT = [*bench.ALL, *package.FIRST, *service.ALL, *clock.ALL, *energy.ALL, *deaths.ALL, *handover.ALL]
SECOND_BOOT = [*after_restart.ALL, *package.LAST]
