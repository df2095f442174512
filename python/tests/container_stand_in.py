#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `docker run` and `jetson-containers run` are for the tests: user, pid and mount namespaces of its own, the volume mounted
and the group checked. Writes what it was told to $CONTAINER_LOG, one JSON object a line.
"""

import argparse
import json
import os
import sys

INSIDE = 'mount -t tmpfs none /run && mkdir -p "$1" && mount --bind "$0" "$1" && shift && exec "$@"'

parser = argparse.ArgumentParser()
parser.add_argument("verb", choices=["run"])
parser.add_argument("--rm", action="store_true")
parser.add_argument("--volume", required=True)
parser.add_argument("--group-add", type=int, required=True)
parser.add_argument("image")
parser.add_argument("command", nargs=argparse.REMAINDER)
given = parser.parse_args()
with open(os.environ["CONTAINER_LOG"], "a", encoding="utf-8") as log:
    log.write(json.dumps({"image": given.image, "group": given.group_add, "volume": given.volume.partition(":")[2]}) + "\n")
os.environ.pop("SWEETSPOT_SOCKET", None)  # of the environment outside a container sees nothing
outside, _, inside = given.volume.partition(":")
namespaces = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc"]
command = [*namespaces, "sh", "-c", INSIDE, outside, inside, *given.command]
sys.stdout.flush()
os.execvp(command[0], command)
