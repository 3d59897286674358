#!/bin/sh
# SPDX-License-Identifier: MIT
# reference_counts.csv has rows for exactly the counted exercises; each of these has a kernel in
# tests/honest that earns it, and a wasteful one in tests/wrong that it refuses.
#   counted_exercises.sh ROOT WORK
set -eu
root=$1 work=$2
mkdir -p "$work"
awk '$1 == "id" { id = $3 } $1 == "kind" && $3 == "\"counted\"" { gsub("\"", "", id); print id }' \
  "$root"/topics/*/exercises.toml | sort > "$work/exercises"
sed 1d "$root/tests/gpu/reference_counts.csv" | cut -d, -f1 | sort -u > "$work/rows"
if ! [ -s "$work/exercises" ]; then
  echo "there is no counted exercise"
  exit 1
fi
if ! diff "$work/exercises" "$work/rows"; then
  echo "< a counted exercise without rows in reference_counts.csv; > rows of no counted exercise"
  exit 1
fi
lacking=0
while read -r id; do
  if ! grep -rqF "// Earns: $id |" "$root/tests/honest"; then
    echo "$id: no kernel in tests/honest earns it"
    lacking=1
  fi
  if ! grep -rqF "// Refused: $id |" "$root/tests/wrong"; then
    echo "$id: it refuses no kernel in tests/wrong"
    lacking=1
  fi
done < "$work/exercises"
[ "$lacking" = 0 ]
echo "all $(wc -l < "$work/exercises") counted exercises have rows, a right kernel and a wrong one"
