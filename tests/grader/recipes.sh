#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How submissions are compiled: from the hand-in only its topics/ are used, and every other folder
# must exist.
#   recipes.sh BUILD/sdk/programs
set -euo pipefail
seen=0
bad=0
while read -r recipe; do
  seen=$((seen + 1))
  previous=""
  while read -r argument; do
    if [[ $argument == *@PLACE@/* && $argument != *@PLACE@/topics/* ]]; then
      echo "$recipe: $argument is looked for in the hand-in"
      bad=1
    fi
    if [[ $previous == -isystem || $previous == -I ]] && [[ $argument != @PLACE@* && ! -d $argument ]]; then
      echo "$recipe: there is no folder $argument"
      bad=1
    fi
    previous="$argument"
  done <"$recipe"
done < <(find "${1:?usage: recipes.sh BUILD/sdk/programs}" -name '*.compile')
echo "$seen recipes looked at"
((seen > 0 && bad == 0))
