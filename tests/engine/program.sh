#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program engine as a user runs it: its text, its ids, its seeds, its errors.
#   program.sh ENGINE MODEL
set -euo pipefail
engine="${1:?usage: program.sh ENGINE MODEL}" model="$2"
. "$(dirname "$0")/../support/shell.sh"
run() { "$engine" --model "$model" "$@" 2>"$work/said"; }
# refuses WORDS... -- ARGUMENTS...: it must fail, with each of the words in a one-line message.
refuses() {
  local words=() status=0 word
  while [[ $1 != -- ]]; do
    words+=("$1")
    shift
  done
  shift
  "$engine" "$@" >"$work/out" 2>"$work/said" || status=$?
  ((status == 1 || status == 2)) || fail "$* ends with $status"
  for word in "${words[@]}"; do
    grep '^engine: ' "$work/said" | grep -F -e "$word" >/dev/null || fail "$* does not say '$word': $(cat "$work/said")"
  done
}

text="$(run --prompt "And God said" --tokens 12)"
[[ $text == "And God said"?* ]] || fail "the text does not go on: $text"
grep -q "tokens/s; a step takes .* ms" "$work/said" || fail "no time: $(cat "$work/said")"
ids="$(run --prompt "And God said" --tokens 12 --ids)"
[[ $ids =~ ^[0-9]+(,[0-9]+){11}$ ]] || fail "no twelve ids: $ids"
batch="$(run --prompt "And God said" --prompt "In the beginning" --tokens 12 --ids | head -n 1)"
[[ $batch == "$ids" ]] || fail "in a batch the tokens differ: $batch, $ids"

[[ $(run --prompt A --tokens 20 --temperature 1 --seed 5) == "$(run --prompt A --tokens 20 --temperature 1 --seed 5)" ]] ||
  fail "the same seed gives another text"
[[ $(run --prompt A --tokens 20 --temperature 1 --seed 5) != "$(run --prompt A --tokens 20 --temperature 1 --seed 6)" ]] ||
  fail "another seed gives the same text"

# Chat without a terminal: a line in, a line out; an empty one continues, from the cache.
[[ $(printf 'And God said\n' | run --chat --tokens 12) == "$text" ]] || fail "chat says something else"
printf 'And God said unto the people of the land, I am the LORD\n\n' | run --chat --tokens 12 >"$work/out"
[[ $(wc -l <"$work/out") -ge 2 ]] || fail "an empty line does not go on: $(cat "$work/out")"
grep -q "[1-9][0-9]* of them known" "$work/said" || fail "what was said is computed again: $(cat "$work/said")"

# In INT8 and INT4, on disk and in memory.
for format in int8 int4; do
  run "--save-$format" "$work/$format"
  [[ $("$engine" --model "$work/$format" --prompt "And God said" --tokens 12 --weights $format --ids 2>/dev/null) == \
    "$(run --prompt "And God said" --tokens 12 --weights $format --ids)" ]] || fail "saved in $format it says something else"
done
(($(stat -c %s "$work/int4/model.safetensors") * 9 < $(stat -c %s "$work/int8/model.safetensors") * 5)) ||
  fail "in INT4 the file is not much smaller than in INT8"

refuses "--prompt TEXT" -- --model "$model"
refuses "give one of" -- --model "$model" --save-int8 "$work/a" --save-int4 "$work/b"
refuses "must be an empty folder" -- --model "$model" --save-int8 "$work/said"
refuses "cannot create" -- --model "$model" --save-int8 "$work/said/new"
refuses "--seed" -- --model "$model" --prompt A --seed -1
# Before anything is generated.
refuses "no machine 'abacus'" -- --model "$model" --prompt A --machine abacus
[[ ! -s $work/out ]] || fail "a machine that is unknown is found only after the text"
if [[ -w /dev/full ]] && run --prompt A --tokens 2 >/dev/full; then fail "a full disk is called success"; fi
refuses "config.json is missing" "--model takes a folder" -- --model "$work" --prompt A
refuses "weights" -- --model "$model" --prompt A --weights fp64
refuses "temperature" -- --model "$model" --prompt A --temperature -1
refuses "the prompt is empty" -- --model "$model" --prompt ""
refuses "token id 99999 is not in the vocabulary" -- --model "$model" --prompt-ids 99999
refuses "context" -- --model "$model" --prompt A --context 1000000
cp -r "$model" "$work/cut"
truncate -s -1 "$work/cut/model.safetensors"
refuses "model.safetensors" "copied completely" -- --model "$work/cut" --prompt A
rm "$work/cut/model.safetensors"
refuses "model.safetensors cannot be read" -- --model "$work/cut" --prompt A
echo "all as expected"
