#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The output of `grader new exercise` works unchanged: in a copy of the tree, tools/check_exercise
# builds a kernel and a function. Their starters earn 0, their solutions earn everything, their
# mistake gets its message and their wrong solution is refused. It builds the libraries, so it runs
# nightly. Usage: new_exercise_proved.sh PROJECT_ROOT GRADER
set -euo pipefail
root="${1:?usage: new_exercise_proved.sh PROJECT_ROOT GRADER}"
grader="$2"
. "$(dirname "$0")/../support/shell.sh"

(cd "$root" && git ls-files -z | tar --create --null --files-from -) | tar --extract --directory "$work"
cd "$work"
git init -q && git add -A
for kind in kernel function; do
  "$grader" new exercise "$kind" 02-peaks "tried_$kind" --root .
  # check_exercise succeeds only if nothing is left to change.
  git ls-files --modified --others --exclude-standard -z | xargs -0 sed -i 's/CHANGE: //g'
done
for id in 02.tried-kernel.kernel 02.tried-function; do
  said="$(tools/check_exercise "$id")" || fail "$said"
  printf '%s\n' "$said"
  grep "proof-starter.$id .*Passed" <<<"$said" >/dev/null || fail "no starter of $id was judged"
  grep "proof-solution.$id .*Passed" <<<"$said" >/dev/null || fail "no solution of $id was judged"
  grep "misconceptions.02 .*Passed" <<<"$said" >/dev/null || fail "no mistake was tried"
done
grep "wrong.02.tried_kernel.leaves_out_the_last .*Passed" < <(ctest --test-dir build/cpu -R '^wrong\.02\.tried_kernel') \
  >/dev/null || fail "the wrong solution was not refused"
