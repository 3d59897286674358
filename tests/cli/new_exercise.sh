#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/new_exercise in a copy of a topic: what it writes is a valid exercise of each kind, its starter and a
# wrong solution can be derived, and nothing is written twice. Usage: new_exercise.sh PROJECT_ROOT GRADER
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
# A name like its neighbours': with points in the id, without them in the code.
"$work/tools/new_exercise" function 02-peaks function.pointed >/dev/null || fail "a name with a point"
grep -q "^id = \"02.function.pointed\"" "$work/topics/02-peaks/exercises.toml" || fail "no id with a point"
grep -q "^double pointed(double x);" "$work/topics/02-peaks/formulas.hpp" || fail "no function of that name"
[[ $(count) == $((before + 5)) ]] || fail "$(count) exercises instead of $((before + 5))"
# Every answer that a mistake names is written too.
for place in "answers.cpp:02.tried-number/thrice" "formulas_wrong.cpp:(tried_function_squared)"; do
  grep -qF "${place#*:}" "$work/solutions/02-peaks/${place%%:*}" || fail "${place%%:*} has no ${place#*:}"
done
for name in Upper .first last. 1st two..points; do
  ! "$work/tools/new_exercise" number 02-peaks "$name" >/dev/null 2>&1 || fail "the name $name is taken"
done
! "$work/tools/new_exercise" kernel 02-peaks with.point >/dev/null 2>&1 || fail "a kernel's name has a point"
status=0
said="$("$work/tools/check_exercise" 02.no-such-exercise 2>&1)" || status=$?
[[ $status == 2 && $said == *02.no-such-exercise* ]] || fail "check_exercise takes any id: $said"

"$grader" starter --root "$work" --write
for place in "topics/02-peaks/code/tried_kernel.cu:02.tried-kernel.kernel" \
  "topics/02-peaks/formulas.cpp:02.tried-function" "topics/02-peaks/answers.toml:02.tried-number"; do
  grep -q "${place##*:}" "$work/${place%%:*}" || fail "the starter ${place%%:*} has no ${place##*:}"
done
# A wrong solution of it is begun with a file that fits already.
"$grader" new wrong 02.tried-kernel.kernel forgets_the_rest --root "$work" >/dev/null
wrong="$work/tests/wrong/02-peaks/tried_kernel"
grep -q "^// Refused: 02.tried-kernel.kernel | failed | CHANGE" "$wrong/forgets_the_rest.diff" || fail "no third line"
"$grader" wrong "$wrong" --root "$work" --out "$work/derived" || fail "a new wrong solution does not fit"
grep -q "2 \* x\[i\]" "$work/derived/forgets_the_rest.cu" || fail "the solution's lines are not in it"
! "$grader" new wrong 02.no-such.kernel forgets --root "$work" >/dev/null 2>&1 || fail "new wrong takes any id"

# Pages that show how to call it name an exercise that is still free.
example="$(sed -n 's/.*such as: tools\/new_exercise \(.*\)$/\1/p' "$root/CONTRIBUTING.md")"
[[ -n $example ]] || fail "CONTRIBUTING.md has no example"
# shellcheck disable=SC2086  # three words
"$work/tools/new_exercise" $example >/dev/null || fail "the example of CONTRIBUTING.md does not work: $example"
echo "four kinds written, and the example '$example'"
