#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `grader variants --roster` by hand: the files are there, an error gives one sentence, and a disk
# that fills up leaves no folder that looks complete.
# Usage: student_handouts.sh GRADER COURSE BUILD
set -euo pipefail
grader="${1:?usage: student_handouts.sh GRADER COURSE BUILD}" course="$2" build="$3"
. "$(dirname "$0")/../support/shell.sh"
cd "$work"
echo "a secret of this test only" >secret.txt
printf 'id,name,variant-version\nada,Ada L.,\nben,Ben C.,2\n' >roster.csv
variants=("$grader" variants --root "$course" --secret-file secret.txt)

# refused WORDS ARGUMENT...: the program fails with one sentence, and creates no folder
refused() {
  local words="$1"
  shift
  if "${variants[@]}" "$@" >said 2>&1; then fail "accepted: $*"; fi
  grep -e "$words" said >/dev/null || { cat said; fail "$* does not say: $words"; }
  [[ $(wc -l <said) -le 2 ]] || { cat said; fail "$* says more than a sentence"; }
  [[ -z $(find . -maxdepth 1 -name 'out*') ]] || fail "$* wrote something"
}
write=(--out out --build "$build" --roster)
refused "requires --out" --roster roster.csv --build "$build"
refused "requires --build" --roster roster.csv --out out
refused "excludes" "${write[@]}" roster.csv --student ada
refused "excludes" "${write[@]}" roster.csv --class 2027
refused "File does not exist: missing.csv" "${write[@]}" missing.csv
echo "name" >bad.csv
refused "bad.csv:1: the header has no column id" "${write[@]}" bad.csv
printf 'id\nada\n\nada\n' >bad.csv
refused "bad.csv:4: id used twice" "${write[@]}" bad.csv
printf 'id,name\n,Ada\n' >bad.csv
refused "bad.csv:2: no id" "${write[@]}" bad.csv
printf 'id,variant-version\nada,two\n' >bad.csv
refused "bad.csv:2: variant-version must be a whole number" "${write[@]}" bad.csv
printf 'id\n\xff\n' >bad.csv
refused "bad.csv:2: not UTF-8" "${write[@]}" bad.csv
: >bad.csv
refused "bad.csv: the list is empty" "${write[@]}" bad.csv
echo "id" >bad.csv
refused "there is nobody on the roster" "${write[@]}" bad.csv

"${variants[@]}" "${write[@]}" roster.csv >said || { cat said; fail "no files"; }
grep "^2 students' own files in out, " said >/dev/null || { cat said; fail "the summary is another"; }
[[ $(ls out) == "ada.zip"$'\n'"ben.zip" ]] || { ls out; fail "other files"; }
"${variants[@]}" --student ben --variant-version 2 >sheet
mkdir ben
(cd ben && cmake -E tar xf ../out/ben.zip)
cmp sheet ben/numbers.txt || fail "ben's sheet is not the one that --student prints"
rm out/ada.zip
if "${variants[@]}" "${write[@]}" roster.csv >said 2>&1; then fail "a folder that is not empty was written to"; fi
grep "out is not empty; name a new folder" said >/dev/null || { cat said; fail "another sentence"; }
[[ $(ls out) == ben.zip ]] || fail "the folder was changed"

# A disk with room for some of the archives.
disk="$work/disk"
mkdir "$disk"
with_small_disk() {
  bwrap --bind / / --dev-bind /dev /dev --size 200000 --tmpfs "$disk" -- "$@"
}
if ! with_small_disk /bin/true 2>/dev/null; then
  echo "skipped: bubblewrap does not work here, so no disk can be made small"
  exit 77
fi
{ echo id; seq -f 'student%03g' 200; } >many.csv
try() {
  local status=0
  "$@" >said 2>&1 || status=$?
  [[ $status -eq 2 ]] || { cat said; echo "exit status $status on a full disk, should be 2"; exit 1; }
  grep "cannot write .*No space left on device" said >/dev/null || { cat said; exit 1; }
  [[ -z $(ls -A "$disk") ]] || { ls -A "$disk"; echo "something was left on the disk"; exit 1; }
}
export -f try
export disk
with_small_disk bash -euc 'try "$@"' bash "${variants[@]}" --out "$disk/out" --build "$build" --roster many.csv ||
  fail "a full disk"
echo "files of a roster, and every mistake is named"
