#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Files not meant for the program roofline: one sentence in 80 columns, no table, nothing lost.
# Usage: odd_files.sh ROOFLINE ROOT
set -u
roofline="$1"
root="$2"
# shellcheck source=tests/roofline/command.sh
source "$root/tests/roofline/command.sh"
cd "$work" || exit 1

report="$root/data/measured/h200_roofs.json"
# Copies with short names: a path is a single word, and may be longer than a line.
cp "$root/topics/03-roofline-modeling/profiles/kernels_h200.csv" profile.csv
cp "$root/tests/roofline/bench/babelstream_rtx2060.txt" bench.txt
profile=profile.csv
bench=bench.txt
: >empty
mkdir folder
head -c 100000 /dev/zero | tr '\0' x >one_line
with_mark() { printf '\357\273\277' | cat - "$1"; }
in_utf16() { printf '\377\376' && sed 's/./&\x00/g' "$1"; }

command=import
"$roofline" import "$profile" >plain || complain "the profile itself"
with_mark "$profile" >marked.csv
sed 's/$/\r/' "$profile" >dos.csv
for file in marked.csv dos.csv; do
  accepts "of the roof" "$file" --machine h200-sxm
  "$roofline" import "$file" | cmp -s - plain || complain "$file is read otherwise than the profile"
done
sed 's/","/";"/g' "$profile" >semicolons.csv
refuses "commas no longer separate its columns" semicolons.csv
in_utf16 "$profile" >wide.csv
refuses "this is UTF-16" wide.csv
refuses "this is neither Nsight Compute's report" "$bench"
refuses "this is neither Nsight Compute's report" one_line
# Change the unit and the column of one metric.
sed '2s/"ns"/"parsec"/' "$profile" >unit.csv
answers 4 "the unknown unit 'parsec'" unit.csv
sed '1s/gpu__time_duration.sum/gpu__time/' "$profile" >no_time.csv
answers 4 "gpu__time_duration.sum was not collected" no_time.csv
head -2 "$profile" >no_launch.csv
refuses "contains no kernel launch" no_launch.csv
refuses "no machine 'abacus': it is neither" "$profile" --machine abacus
printf '  saxpy (1)\n    Section: Speed\n    Metric Name       Metric Unit\n' >text.txt
refuses "run instead, with the program's arguments: ncu" text.txt
# The shell must see the command as one word of metrics and a program.
words="$(sed '1,/arguments:$/d; s/^ncu/printf "%s;"/; s/ > profile.csv$//' "$work/err" | bash | tr ';' '\n' | grep -c .)"
[[ $words -eq 6 ]] || complain "the command falls apart in a shell: $(cat "$work/err")"

command=compare
with_mark "$bench" >marked.txt
accepts "304.1 GB/s" --bench marked.txt
in_utf16 "$bench" >wide.txt
refuses "this is UTF-16" --bench wide.txt
refuses "this is not what BabelStream" --bench one_line
refuses "not valid JSON, as \`roofline measure --out\` writes it" "$profile" "$report"

command=submit
sed '0,/"median": [0-9.e+]*/s//"median": "fast"/' "$report" >words.json
refuses "words.json: roofs[0]: type must be number" words.json
head -c 3000 "$report" >half.json
refuses "not valid JSON" half.json
refuses "cannot be a machine's id" "$report" --id '../x'
refuses "No such file or directory" "$report" --out missing/x.toml
accepts "measured roofs" "$report" --id filled
echo '# filled in by hand' >>filled.toml
cp filled.toml kept.toml
refuses "exists already" "$report" --id filled
cmp -s filled.toml kept.toml || complain "what was filled in by hand is lost"

for command in import submit; do
  refuses "the file is empty" empty
  refuses "this is a folder" folder
  refuses "cannot read nowhere" nowhere
done
command=compare
refuses "the file is empty" --bench empty
refuses "this is a folder" --bench folder
refuses "the file is empty" empty "$report"

# If standard output is a full disk, that is not success.
if [[ -w /dev/full ]] && "$roofline" compare "$report" "$report" >/dev/full 2>"$work/err"; then
  complain "output that could not be written is called success"
fi
exit $bad
