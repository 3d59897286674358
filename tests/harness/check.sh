#!/bin/sh
# SPDX-License-Identifier: MIT
# PROGRAM --check of the test course's saxpy: the solution is right, the starter unsolved, and a wrong
# solution is refused with what is wrong.
# Usage: check.sh SOLUTION STARTER WRONG
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0
expect() { # STATUS TEXT PROGRAM
  "$3" --check >"$log" 2>&1
  status=$?
  if [ "$status" != "$1" ] || ! grep -q "$2" "$log"; then
    echo "FAILED: $3 --check ended with $status, expected $1 and \"$2\":"
    cat "$log"
    failed=1
  fi
}
expect 0 '^saxpy: right$' "$1"
expect 3 '^unsolved: 90\.saxpy' "$2"
expect 1 '^saxpy, n = ' "$3"
exit $failed
