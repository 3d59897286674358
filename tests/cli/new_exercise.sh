#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/new_exercise in a copy of a topic: what it writes is a valid exercise of each kind, its starter can
# be derived, and nothing is written twice. Usage: new_exercise.sh PROJECT_ROOT GRADER
set -euo pipefail
root="${1:?usage: new_exercise.sh PROJECT_ROOT GRADER}"
grader="$2"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

mkdir "$work/topics" "$work/solutions"
cp -r "$root/tools" "$work/"
cp -r "$root/topics/02-peaks" "$work/topics/"
cp -r "$root/solutions/02-peaks" "$work/solutions/"
count() { "$grader" schema --root "$work" | sed -n 's/^\([0-9]*\) exercises, no mistakes.*/\1/p'; }
before="$(count)"
[[ $before -gt 0 ]] || fail "the topic has mistakes before anything is added"

for kind in number choice function kernel; do
  said="$("$work/tools/new_exercise" "$kind" 02-peaks "tried_$kind")" || fail "$kind: $said"
  grep -q "^02.tried-$kind.* is there" <<<"$said" || fail "$kind says: $said"
  grep -q "CHANGE" <<<"$said" || fail "$kind names no place to change"
  status=0
  "$work/tools/new_exercise" "$kind" 02-peaks "tried_$kind" >/dev/null 2>&1 || status=$?
  [[ $status == 2 ]] || fail "a second $kind of the same name ends with $status"
done
[[ $(count) == $((before + 4)) ]] || fail "$(count) exercises instead of $((before + 4))"

"$grader" starter --root "$work" --write
for place in "topics/02-peaks/code/tried_kernel.cu:02.tried-kernel.kernel" \
  "topics/02-peaks/formulas.cpp:02.tried-function" "topics/02-peaks/answers.toml:02.tried-number"; do
  grep -q "${place##*:}" "$work/${place%%:*}" || fail "the starter ${place%%:*} has no ${place##*:}"
done
# Pages that show how to call it name an exercise that is still free.
example="$(sed -n 's/.*such as: tools\/new_exercise \(.*\)$/\1/p' "$root/CONTRIBUTING.md")"
[[ -n $example ]] || fail "CONTRIBUTING.md has no example"
# shellcheck disable=SC2086  # three words
"$work/tools/new_exercise" $example >/dev/null || fail "the example of CONTRIBUTING.md does not work: $example"
echo "four kinds written, and the example '$example'"
