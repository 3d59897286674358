#!/bin/sh
# SPDX-License-Identifier: MIT
# PROGRAM --check of the test course's saxpy: the solution is right, the starter unsolved, and a wrong
# solution is refused with what is wrong.
# Usage: check.sh SOLUTION STARTER WRONG
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0
expect() { # STATUS TEXT PROGRAM [ARGUMENTS]
  wanted=$1
  text=$2
  shift 2
  "$@" --check >"$log" 2>&1
  status=$?
  if [ "$status" != "$wanted" ] || ! grep -q "$text" "$log"; then
    echo "FAILED: $* --check ended with $status, expected $wanted and \"$text\":"
    cat "$log"
    failed=1
  fi
}
expect 0 '^saxpy: right$' "$1"
expect 3 '^unsolved: 90\.saxpy' "$2"
expect 1 '^saxpy, n = ' "$3"
expect 2 '^--check stands alone' "$1" --n 61
exit $failed
