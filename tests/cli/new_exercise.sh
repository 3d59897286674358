#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `grader new exercise` in a copy of a topic: it writes a valid exercise of each kind, whose starter
# and wrong solutions can be derived, and never overwrites anything. Usage: new_exercise.sh
# PROJECT_ROOT GRADER
set -euo pipefail
root="${1:?usage: new_exercise.sh PROJECT_ROOT GRADER}"
grader="$2"
. "$(dirname "$0")/../support/shell.sh"

mkdir "$work/topics" "$work/solutions"
cp -r "$root/tools" "$root/templates" "$work/"
cp -r "$root/topics/02-peaks" "$work/topics/"
cp -r "$root/solutions/02-peaks" "$work/solutions/"
count() { "$grader" schema --root "$work" | sed -n 's/^\([0-9]*\) exercises, no mistakes.*/\1/p'; }
new() { "$grader" new exercise "$@" --root "$work"; }
before="$(count)"
[[ $before -gt 0 ]] || fail "the topic has mistakes before anything is added"

kinds="$(find "$root/templates/exercise" -mindepth 1 -maxdepth 1 -printf '%f\n' | grep -vx 'begin\|every' | sort)"
[[ $kinds == *kernel* ]] || fail "no templates of a kernel"
for kind in $kinds; do
  said="$(new "$kind" 02-peaks "tried_$kind")" || fail "$kind: $said"
  grep "^Created 02.tried-$kind" <<<"$said" >/dev/null || fail "$kind says: $said"
  grep "^topics/02-peaks/README.md:.*CHANGE" <<<"$said" >/dev/null || fail "$kind names no place to change: $said"
  find "$work" -type f -exec sha256sum {} + | sort >"$work.before"
  ! said="$(new "$kind" 02-peaks "tried_$kind" 2>&1)" || fail "$kind is written twice"
  grep "exists already" <<<"$said" >/dev/null || fail "a second $kind of the same name: $said"
  find "$work" -type f -exec sha256sum {} + | sort | cmp - "$work.before" || fail "a second $kind was begun"
  rm "$work.before"
done
# A name with a dot, like its neighbours': the id has the dot, the code does not.
new function 02-peaks function.pointed >/dev/null || fail "a name with a point"
grep -q "^id = \"02.function.pointed\"" "$work/topics/02-peaks/exercises.toml" || fail "no id with a point"
grep -q "^double pointed(double x);" "$work/topics/02-peaks/formulas.hpp" || fail "no function of that name"
more=$(($(wc -l <<<"$kinds") + 1))
[[ $(count) == $((before + more)) ]] || fail "$(count) exercises instead of $((before + more))"
# Every answer that a mistake names is written too.
for place in "answers.cpp:02.tried-number/thrice" "formulas_wrong.cpp:(tried_function_squared)"; do
  grep -qF "${place#*:}" "$work/solutions/02-peaks/${place%%:*}" || fail "${place%%:*} has no ${place#*:}"
done
refused() {
  local says="$1"
  shift
  ! said="$(new "$@" 2>&1)" || fail "taken: $*"
  grep -F "$says" <<<"$said" >/dev/null || fail "$*: $said"
}
for name in Upper .first last. 1st two..points; do
  refused "lower-case letters, digits and _" number 02-peaks "$name"
done
refused "without a dot: with.point" kernel 02-peaks with.point
refused "there is no folder topics/99-none" number 99-none name
refused "no templates for the kind 'speed'; there are some for: number, choice, function, kernel" speed 02-peaks name
status=0
said="$("$work/tools/check_exercise" 02.no-such-exercise 2>&1)" || status=$?
[[ $status == 2 && $said == *02.no-such-exercise* ]] || fail "check_exercise takes any id: $said"

# A topic without functions or declarations gets their files with the first exercise.
mkdir "$work/topics/80-new"
echo "# New" >"$work/topics/80-new/README.md"
new function 80-new first >/dev/null
for file in topics/80-new/{exercises.toml,formulas.hpp} solutions/80-new/formulas{,_wrong}.cpp; do
  [[ -s $work/$file ]] || fail "a new topic has no $file"
  ! grep '@[a-z]*@' "$work/$file" || fail "not filled in: $file"
done
[[ $(count) == $((before + more + 1)) ]] || fail "the new topic's exercise does not count"

"$grader" starter --root "$work" --write
for place in "topics/02-peaks/code/tried_kernel.cu:02.tried-kernel.kernel" \
  "topics/02-peaks/formulas.cpp:02.tried-function" "topics/02-peaks/answers.toml:02.tried-number"; do
  grep -q "${place##*:}" "$work/${place%%:*}" || fail "the starter ${place%%:*} has no ${place##*:}"
done
# The first wrong solution fits, and so does a new one, which starts with all of the solution's
# lines.
wrong="$work/tests/wrong/02-peaks/tried_kernel"
[[ -s $wrong/leaves_out_the_last.diff ]] || fail "a kernel has no wrong solution"
"$grader" new wrong 02.tried-kernel.kernel forgets_the_rest --root "$work" >/dev/null
grep -q "^// Refused: 02.tried-kernel.kernel | failed | CHANGE" "$wrong/forgets_the_rest.diff" || fail "no third line"
"$grader" wrong "$wrong" --root "$work" --out "$work/derived" || fail "a new wrong solution does not fit"
grep -q "if (i + 1 < n)" "$work/derived/leaves_out_the_last.cu" || fail "the first wrong solution is not wrong"
grep -q "2 \* x\[i\]" "$work/derived/forgets_the_rest.cu" || fail "the solution's lines are not in it"
! "$grader" new wrong 02.no-such.kernel forgets --root "$work" >/dev/null 2>&1 || fail "new wrong takes any id"

# The pages that show how to call it use an id that is still free.
example="$(sed -n 's/.*such as: grader new exercise \(.*\) --root \.$/\1/p' "$root/CONTRIBUTING.md")"
[[ -n $example ]] || fail "CONTRIBUTING.md has no example"
# shellcheck disable=SC2086  # three words
new $example >/dev/null || fail "the example of CONTRIBUTING.md does not work: $example"
echo "$((more - 1)) kinds written, and the example '$example'"
