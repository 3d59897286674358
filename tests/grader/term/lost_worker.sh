#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A class of five hundred on three workers, one of which is killed in the middle of its slice: it is started
# again, all are merged, and the book is written. Nothing is lost, nothing is judged twice, and every point is
# that of one batch on one machine. Usage: lost_worker.sh GRADER COURSE BUILD
set -euo pipefail
grader="${1:?usage: lost_worker.sh GRADER COURSE BUILD}" course="$2" build="$3"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
students=500
right=250

mkdir "$work/in"
echo "id,name" >"$work/roster.csv"
for i in $(seq -w 1 $students); do
  value=0.1667
  ((10#$i <= right)) || value=6
  printf '["90.intensity"]\nvalue = "%s"\n' "$value" >"$work/in/s$i.toml"
  echo "s$i,Student $i" >>"$work/roster.csv"
done
batch() { # OUT OPTION...
  "$grader" batch "$work/in" --root "$course" --build "$build" --roster "$work/roster.csv" --out "$1" \
    --exercise 90.intensity --isolation-light "${@:2}"
}
stored() { find "$1/results" -name '*.json' 2>/dev/null | wc -l; }

batch "$work/alone" >"$work/log"
(($(stored "$work/alone") == students)) || fail "one machine judged $(stored "$work/alone")"

own=$(((students + 1) / 3)) # of worker 1: students at places 1, 4, 7, ...
batch "$work/parts/0" --slice 0/3 >"$work/log"
batch "$work/parts/2" --slice 2/3 >"$work/log"
mkdir -p "$work/parts/1"
setsid "$grader" batch "$work/in" --root "$course" --build "$build" --roster "$work/roster.csv" \
  --out "$work/parts/1" --exercise 90.intensity --isolation-light --slice 1/3 >"$work/log" 2>&1 &
worker=$!
until (($(stored "$work/parts/1") >= 20)); do
  kill -0 "$worker" 2>/dev/null || fail "the worker ended by itself"
done
kill -9 "$worker"
wait "$worker" 2>/dev/null || true
lost=$(stored "$work/parts/1")
((lost < own)) || fail "the worker was too quick to be lost: $lost of $own"

# The worker again: what it had done stands.
batch "$work/parts/1" --slice 1/3 >"$work/log"
summary="$(grep ' graded, ' "$work/log")"
graded=${summary%% graded*}
unchanged="$(sed -E 's/.*, ([0-9]+) unchanged.*/\1/' <<<"$summary")"
((graded + unchanged == own)) || fail "of $own students $graded were judged and $unchanged stood"
((unchanged >= lost - 1)) || fail "$lost results were there, $unchanged stood"
# The merge judges nobody.
batch "$work/merged" --take "$work/parts/0" --take "$work/parts/1" --take "$work/parts/2" >"$work/log"
grep -q "^0 graded, $students unchanged" "$work/log" || fail "the merge judged again: $(grep graded "$work/log")"
cmp "$work/alone/gradebook.csv" "$work/merged/gradebook.csv" || fail "other points"
"$grader" report --diff "$work/alone" "$work/merged" | grep 'no difference' >/dev/null || fail "other points"

printf 'course = "A term"\n[[assignment]]\nname = "One"\nexercises = ["90.intensity"]\ndeadline = 2026-10-20T12:00:00Z\n' \
  >"$work/policy.toml"
printf '[[assignment.submission]]\nresults = "merged"\nhanded-in = 2026-10-19T12:00:00Z\n' >>"$work/policy.toml"
"$grader" book "$work/policy.toml" --roster "$work/roster.csv" --root "$course" --out "$work/book" >"$work/log"
(($(grep -c '100.00$' "$work/book/book.csv") == right)) || fail "the book has other points: $(head -n 3 "$work/book/book.csv")"
echo "$students students: a worker was killed after $lost of $own, $unchanged stood, $graded were judged after it"
