# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by scripts that run several scripts one after the other, whatever the ones before said, and add up their counts.

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
passed=0 failed=0 skipped=0
verdicts=()
limit_s=${limit_s:-86400}
mkdir -p build/stages

# stage NAME COMMAND…: the last line of the command's output is its count, if it has that form. A command without a count
# is one check; one that fails without a count of its own (a crash, no time left) is one failed check.
stage() {
  local name=$1 started=$SECONDS status=0 left=$((limit_s - SECONDS)) verdict
  local log=build/stages/$name.log
  shift
  printf '\n######## %s\n' "$name"
  if [ "$left" -lt 5 ]; then
    failed=$((failed + 1))
    verdicts+=("$name: FAILED: no time left to run it")
    return
  fi
  # Each line carries the stage's name, so that only the very last line of the run has the form of a closing line.
  timeout --kill-after=20 "$left" "$@" </dev/null 2>&1 | tee "$log" | sed -u "s/^/[$name] /"
  status=${PIPESTATUS[0]}

  if [[ $(tail -n 1 "$log") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
    verdict="${BASH_REMATCH[0]}"
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2])) skipped=$((skipped + BASH_REMATCH[3]))
    if [ "$status" -ne 0 ] && [ "${BASH_REMATCH[2]}" -eq 0 ]; then
      failed=$((failed + 1))
      verdict+=", FAILED with status $status"
    fi
  elif [ "$status" -eq 0 ]; then
    passed=$((passed + 1))
    verdict=passed
  else
    failed=$((failed + 1))
    verdict="FAILED with status $status"
  fi
  verdicts+=("$name: $verdict; $((SECONDS - started)) s")
}

# stage_within BUDGET_S NEEDED_S NAME COMMAND…: a stage that begins only if it can be done within the budget of the whole run,
# in seconds; else it counts as skipped, and its verdict says so.
stage_within() {
  local budget=$1 needed=$2 name=$3
  shift 2
  if [ $((budget - SECONDS)) -ge "$needed" ]; then
    stage "$@"
    return
  fi
  skipped=$((skipped + 1))
  verdicts+=("$name: SKIPPED: it takes some $needed s, and $SECONDS s of $budget s are gone; run ${*:2}")
}

# Prints the verdict of each stage and the sum; the status is that of the whole.
close_stages() {
  printf '\n'
  printf '%s\n' "${verdicts[@]}"
  printf 'whole run: %s s\n' "$SECONDS"
  printf '%s passed, %s failed, %s skipped\n' "$passed" "$failed" "$skipped"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
