#!/bin/sh
# SPDX-License-Identifier: MIT
# reference_counts.csv has rows for every counted exercise, and for nothing else.
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
if diff "$work/exercises" "$work/rows"; then
  echo "all $(wc -l < "$work/exercises") counted exercises have rows"
else
  echo "< a counted exercise without rows in reference_counts.csv; > rows of no counted exercise"
  exit 1
fi
