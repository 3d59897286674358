#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# grader batch --slurm without a cluster: a stand-in for sbatch records its arguments, and the
# scripts run here, one after another. Every option of a batch is passed on or refused by name.
#   options.sh GRADER COURSE BUILD
set -euo pipefail
grader=$1
course=$2
build=$3
. "$(dirname "$0")/../../support/shell.sh"
cd "$work"

mkdir bin
cat >bin/sbatch <<'SBATCH'
#!/bin/sh
echo "$@" >>"$SBATCH_CALLS"
wc -l <"$SBATCH_CALLS"
SBATCH
chmod +x bin/sbatch
export PATH="$work/bin:$PATH" SBATCH_CALLS="$work/calls"

for student in ada ben cyd; do
  mkdir -p "in/$student/90-course"
  printf '["90.intensity"]\nvalue = "0.1667"\n' >"in/$student/90-course/answers.toml"
done
for student in ada ben; do
  { cat "$course/solutions/90-course/formulas.cpp" && echo "static const int own_name = 7;  // $student"; } >"in/$student/90-course/formulas.cpp"
done
batch() { # OUT OPTION...
  "$grader" batch in --root "$course" --build "$build" --exercise 90.intensity --exercise 90.attainable \
    --exercise 90.saxpy-speed --isolation-light --out "$@"
}
run_array() { # SCRIPT TASKS
  for ((task = 0; task < $2; ++task)); do SLURM_ARRAY_TASK_ID=$task sh "$1" >>log 2>&1 || true; done
}

echo "== what cannot be is refused"
if batch out --slurm 2 --slice 0/2 >log 2>&1; then fail "--slice was accepted"; fi
grep -q -- '--slice with --slurm: the tasks of the job array are the slices' log || { cat log && fail "--slice"; }
[[ ! -e calls ]] || fail "submitted all the same"

echo "== results of another batch, and who handed in the same"
batch earlier >log 2>&1 || { cat log && fail "the batch alone"; }
batch out --slurm 2 --similarity --take earlier --jobs 3 >said
run_array out/slurm/task.sh 2
grep -q '^0 graded, 2 unchanged' log || { cat log && fail "a task judged what was taken over"; }
sh out/slurm/merge.sh >log
grep -q '^0 graded, 3 unchanged' log || { cat log && fail "the merge judged what was taken over"; }
grep -q 'identical 90-course/formulas.cpp: ada, ben' log || { cat log && fail "--similarity"; }
grep -q '^1,90-course/formulas.cpp,ben$' out/identical.csv || { cat out/identical.csv && fail "identical.csv"; }
grep -q -- '--jobs 3 ' out/slurm/task.sh || fail "--jobs"
grep -q -- "'--shared' '$work/out'" out/slurm/task.sh || fail "what one task compiles the others compile again"
diff earlier/gradebook.csv out/gradebook.csv || fail "other points"

echo "== what is timed, alone on nodes that the policy says"
cat >policy.toml <<'POLICY'
course = "Performance"
timed-nodes = ["--exclusive", "--constraint=h200"]
late-penalty = 0.2
[[assignment]]
name = "One"
exercises = ["90."]
deadline = 2026-10-20T23:59:00+02:00
[[assignment.submission]]
results = "apart"
handed-in = 2026-10-20T12:00:00+02:00
POLICY
rm calls
batch apart --slurm 2 --policy policy.toml --sbatch=--mem=2G >said
sed -n 1p calls | grep -- '--mem=2G --array=0-1 .*task.sh$' >/dev/null || { cat calls && fail "the array"; }
if sed -n 1p calls | grep exclusive >/dev/null; then fail "all are alone on their nodes"; fi
sed -n 2p calls | grep -- '--mem=2G --exclusive --constraint=h200 --array=0-1 .*timed.sh$' >/dev/null ||
  { cat calls && fail "what is timed"; }
sed -n 3p calls | grep -- '--exclusive .*--dependency=afterany:1:2 .*merge.sh$' >/dev/null || { cat calls && fail "the merge"; }
grep -q 'job 2 grades timed exercises' said && grep -q 'scancel 1 2 3;' said || { cat said && fail "what it says"; }
run_array apart/slurm/task.sh 2
run_array apart/slurm/timed.sh 2
sh apart/slurm/merge.sh >log || { cat log && fail "the merge"; }
[[ $(grep -c '^0 graded, 3 unchanged' log) == 2 ]] || { cat log && fail "the merge judged again"; }
diff earlier/gradebook.csv apart/gradebook.csv || fail "other points where they are graded apart"
grep -q 'Each late day that has begun costs 20 % of the points' apart/reports/ada.html || fail "the rules are on no page"
grep -q '<p class="quiet">Performance</p>' apart/reports/ada.html || fail "the course's name is on no page"
# Without a timed exercise, there is no separate array.
rm calls
"$grader" batch in --root "$course" --build "$build" --exercise 90.intensity --out plain --slurm 2 --policy policy.toml >said
[[ $(wc -l <calls) == 2 ]] || { cat calls && fail "an array of nothing"; }
echo "every option arrives or is refused"
