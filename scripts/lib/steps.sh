# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts beside this folder: named and timed steps, and a closing line that is printed even when a step
# fails before any test could run. A script that sources this sets `closing_line` to its own counts once it has them.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root" || exit 1
# shellcheck disable=SC2034  # read by the scripts that source this
jobs=$(nproc)
closing_line=
current_step=

# Compiler results are shared between build folders and between clones of the repository.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}

# step NAME COMMAND…: runs the command; ends the script when it fails.
step() {
  local started=$SECONDS status=0
  current_step=$1
  shift
  printf '==> %s\n' "$current_step"
  "$@" || status=$?
  if [ "$status" -ne 0 ]; then
    printf '==> %s: FAILED with status %s after %s s\n' "$current_step" "$status" $((SECONDS - started))
    exit "$status"
  fi
  printf '==> %s: done in %s s\n' "$current_step" $((SECONDS - started))
  current_step=
}

# A script that ends before it has counts has failed, and says so in the same form as a script that has them.
print_closing_line() {
  local status=$?
  if [ -z "$closing_line" ]; then
    [ "$status" -ne 0 ] || status=1
    printf 'ended early%s\n' "${current_step:+ in step: $current_step}"
    closing_line='0 passed, 1 failed, 0 skipped'
  fi
  printf '%s\n' "$closing_line"
  exit "$status"
}
trap print_closing_line EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
