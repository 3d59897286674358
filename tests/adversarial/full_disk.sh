#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The disk fills up while a class is graded: the batch fails, nobody gets a verdict for that, and
# once there is space, the same command judges again. Runs in its own sandbox with a small disk.
#   full_disk.sh GRADER COURSE BUILD
set -euo pipefail
grader=$1 course=$2 build=$3
skip=77

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/{in/ada/90-course,out}
cp "$course/solutions/90-course/formulas.cpp" "$folder/in/ada/90-course/"

with_small_disk() {
  bwrap --bind / / --dev-bind /dev /dev --size 20000000 --tmpfs "$folder/out" -- "$@"
}
if ! with_small_disk bwrap --unshare-all --ro-bind / / --proc /proc /bin/true 2>/dev/null; then
  echo "skipped: bubblewrap does not work inside of itself here"
  exit $skip
fi

batch() {
  "$grader" batch "$folder/in" --root "$course" --build "$build" --out "$folder/out" \
    --exercise 90.attainable
}
fail() {
  echo "FAILED: $1"
  exit 1
}
# try BYTES grades with that much of the disk occupied.
try() {
  head -c "$1" /dev/zero >"$folder/out/filler"
  local status=0
  batch || status=$?
  [ $status -eq 2 ] || fail "exit status $status on a full disk, should be 2"
  # There may not even be space to record the failure.
  local result=$folder/out/results/ada.json
  [ ! -e "$result" ] || grep -q '"status": *"error"' "$result" || fail "a full disk is not reported as an error"
  rm "$folder/out/filler"
  batch || fail "with room it still fails"
  grep -q '^ada,,2,2,2$' "$folder/out/gradebook.csv" || fail "not judged again"
}
export -f batch fail try
export grader course build folder
# Space for results, but not for a program.
with_small_disk bash -euc 'try 19700000'
# Space for the starter, but not for a program with a table.
echo '__attribute__((used)) static const char table[1500000] = {1};' >>"$folder/in/ada/90-course/formulas.cpp"
with_small_disk bash -euc 'try 14000000'
