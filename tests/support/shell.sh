# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# For tests that are shell scripts: $work is a folder of their own, and this is how they fail.

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

# For a script that goes on after a failure and ends with `exit "$bad"`.
bad=0
complain() { echo "FAILED: $*"; bad=1; }

# expect CODE COMMAND...: it ends so; what it prints is then in $work/out.txt and $work/err.txt
expect() {
  wanted=$1 got=0; shift
  "$@" >"$work/out.txt" 2>"$work/err.txt" || got=$?
  [ "$got" -eq "$wanted" ] || { cat "$work/out.txt" "$work/err.txt"; fail "exit code $got, not $wanted: $*"; }
}
