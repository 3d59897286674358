#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# With the student's files the engine says which labs are theirs, and produces the same tokens.
#   mine.sh ENGINE ENGINE_MINE MODEL
set -euo pipefail
engine="${1:?usage: mine.sh ENGINE ENGINE_MINE MODEL}" mine="$2" model="$3"
. "$(dirname "$0")/../support/shell.sh"
for program in "$engine" "$mine"; do
  "$program" --model "$model" --prompt "And God said" --tokens 24 --ids >"$work/$(basename "$program")" \
    2>"$work/said-$(basename "$program")"
done
cat "$work/said-$(basename "$mine")"
grep -q "^Kernels from your files: " "$work/said-$(basename "$mine")"
cmp "$work/$(basename "$engine")" "$work/$(basename "$mine")"
