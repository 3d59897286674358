#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Wrong options of an export and of a class's numbers: each gives one sentence that says what to do,
# and writes nothing. Usage: class_options.sh PROJECT_ROOT BUILD
set -euo pipefail
root="${1:?usage: class_options.sh PROJECT_ROOT BUILD}"
grader="$2/bin/grader" build="$2"
. "$(dirname "$0")/../support/shell.sh"
cd "$work"
echo "a secret of this test only" >secret.txt
echo "too short" >short.txt
: >empty.txt

# refused WORDS ARGUMENT...: the program fails, says so, and makes no folder
refused() {
  local words="$1"
  shift
  if "$grader" "$@" >said 2>&1; then fail "accepted: $*"; fi
  grep -q -e "$words" said || { cat said; fail "$* does not say: $words"; }
  [[ ! -e handout && ! -e results ]] || fail "$* wrote something"
}
export=(export-student handout --root "$root" --build "$build")
batch=(batch . --root "$root" --build "$build" --out results)
refused "missing.txt: no secret can be read from its first line" "${export[@]}" --secret-file missing.txt
refused "empty.txt: no secret can be read from its first line" "${export[@]}" --secret-file empty.txt
refused "short.txt: the secret in the first line has 9 characters" "${export[@]}" --secret-file short.txt
refused "openssl rand -hex 16" "${batch[@]}" --secret-file short.txt
refused "class requires --secret-file" "${export[@]}" --class 2027
refused "class: must not be empty" "${export[@]}" --secret-file secret.txt --class ""
refused "cannot write the folder secret.txt/handout" \
  export-student secret.txt/handout --root "$root" --build "$build" --secret-file secret.txt --all-files
mkdir -p tree/topics
refused "git cannot say which files of .*tree belong to the course" export-student handout --root tree --build "$build"
refused "class requires --secret-file" "${batch[@]}" --class 2027
refused "excludes" "${batch[@]}" --secret-file secret.txt --class 2027 --variant-version 2
refused "with --student ID, --class NAME or --roster FILE" variants --root "$root" --secret-file secret.txt
refused "excludes" variants --root "$root" --secret-file secret.txt --student ada --class 2027
refused "excludes" variants --root "$root" --secret-file secret.txt --class 2027 --variant-version 2

"$grader" variants --root "$root" --secret-file secret.txt --class 2027 >sheet
grep -q "^Numbers of the class 2027 " sheet || { head -n 1 sheet; echo "FAILED: no sheet"; exit 1; }
echo "every mistake is named"
