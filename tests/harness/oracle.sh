#!/bin/sh
# SPDX-License-Identifier: MIT
# PROGRAM --oracle of the test course's saxpy: the solution is right, the starter is unsolved, and a
# wrong solution is refused with an explanation.
# Usage: oracle.sh SOLUTION STARTER WRONG
set -u
. "$(dirname "$0")/../support/shell.sh"
tried() { # STATUS TEXT PROGRAM [ARGUMENTS]
  code=$1 text=$2; shift 2
  expect "$code" "$@" --oracle
  grep -q "$text" "$work/out.txt" "$work/err.txt" ||
    { cat "$work/out.txt" "$work/err.txt"; fail "$* --oracle does not say \"$text\""; }
}
tried 0 '^saxpy: right$' "$1"
tried 3 '^unsolved: 90\.saxpy' "$2"
tried 1 '^saxpy, n = ' "$3"
tried 2 '^--oracle stands alone' "$1" --n 61
# The option's old name, which could be taken for ./lab check.
expect 2 "$1" --check
grep -q 'lab check ID gives points; to only compare with the oracle: .* --oracle$' "$work/err.txt" ||
  { cat "$work/err.txt"; fail "--check names no other option"; }
