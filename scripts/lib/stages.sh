# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by scripts that run several scripts one after the other, whatever the ones before said, and add up their counts.

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
passed=0 failed=0 skipped=0
verdicts=()
background=
limit_s=${limit_s:-86400}
mkdir -p build/stages

# stage NAME COMMAND…: the last line of the command's output is its count, if it has that form. A command without a count
# is one check; one that fails without a count of its own (a crash, no time left) is one failed check.
stage() {
  local name=$1 started=$SECONDS status=0 log=build/stages/$1.log
  shift
  announce "$name" || return
  # Each line carries the stage's name, so that only the very last line of the run has the form of a closing line.
  timeout --kill-after=20 "$left_s" "$@" </dev/null 2>&1 | tee "$log" | sed -u "s/^/[$name] /"
  status=${PIPESTATUS[0]}
  count "$name" "$status" "$log" $((SECONDS - started))
}

# background_stage NAME COMMAND…: runs beside the stages after it and is shown and counted at the end. There is one of them;
# it is worth it where the stages beside it do not use all processors.
background_stage() {
  local name=$1 log=build/stages/$1.log
  shift
  announce "$name" || return
  background=$name background_started=$SECONDS
  timeout --kill-after=20 "$left_s" "$@" </dev/null >"$log" 2>&1 &
  background_pid=$!
}

background_stage_ends() {
  local status=0 log=build/stages/$background.log
  [ -n "$background" ] || return 0
  wait "$background_pid" || status=$?
  sed "s/^/[$background] /" "$log"
  count "$background" "$status" "$log" $((SECONDS - background_started))
  background=
}

# announce NAME: sets left_s, and is false where that is too little to begin.
announce() {
  left_s=$((limit_s - SECONDS))
  printf '\n######## %s\n' "$1"
  [ "$left_s" -lt 5 ] || return 0
  failed=$((failed + 1))
  verdicts+=("$1: FAILED: no time left to run it")
  return 1
}

# count NAME STATUS LOG SECONDS: adds a stage's verdict.
count() {
  local verdict
  if [[ $(tail -n 1 "$3") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
    verdict="${BASH_REMATCH[0]}"
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2])) skipped=$((skipped + BASH_REMATCH[3]))
    if [ "$2" -ne 0 ] && [ "${BASH_REMATCH[2]}" -eq 0 ]; then
      failed=$((failed + 1))
      verdict+=", FAILED with status $2"
    fi
  elif [ "$2" -eq 0 ]; then
    passed=$((passed + 1))
    verdict=passed
  else
    failed=$((failed + 1))
    verdict="FAILED with status $2"
  fi
  verdicts+=("$1: $verdict; $4 s")
}

# Prints the verdict of each stage and the sum; the status is that of the whole.
close_stages() {
  background_stage_ends
  printf '\n'
  printf '%s\n' "${verdicts[@]}"
  printf 'whole run: %s s\n' "$SECONDS"
  printf '%s passed, %s failed, %s skipped\n' "$passed" "$failed" "$skipped"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
