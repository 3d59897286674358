#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# grader batch --slurm on three nodes: the same points as on one machine, even if a node and a task
# are killed in the middle, if a task runs out of memory, and if everything is cancelled and started
# again.
#   cluster.sh GRADER COURSE BUILD
set -euo pipefail
grader=$1
course=$2
build=$3

source "$(dirname "$0")/nodes.sh"
fill_class "$course"

batch() { # OUT OPTION...
  "$grader" batch "$class" --root "$course" --build "$build" --roster "$work/roster.csv" --out "$1" \
    --exercise 90.intensity --exercise 90.attainable "${@:2}"
}
echo "== on one machine"
batch "$work/alone" | quiet
(($(wc -l <"$work/alone/gradebook.csv") == 26)) || { echo "FAILED: no gradebook of 25" && exit 1; }
grep -q '^s02,,.*,1,' "$work/alone/gradebook.csv" || { echo "FAILED: s02 has no point" && exit 1; }

same() { # OUT
  diff "$work/alone/gradebook.csv" "$1/gradebook.csv" || { echo "FAILED: other points in $1" && exit 1; }
}
# The merge has the tasks' results unchanged, byte for byte: it did not judge them again.
not_judged_twice() { # OUT
  local file stored=0
  for file in "$1"/slurm/parts/*/results/s*.json; do
    stored=$((stored + 1))
    cmp "$file" "$1/results/$(basename "$file")" || { echo "FAILED: judged twice" && cat "$1/slurm/merge.log" && exit 1; }
  done
  # "N graded, M unchanged": everything that the tasks have, and only the rest judged anew.
  grep -q "^$((24 - stored)) graded, $stored unchanged" "$1/slurm/merge.log" ||
    { echo "FAILED: $stored were stored" && cat "$1/slurm/merge.log" && exit 1; }
}
# Saves the results stored so far; kept() checks that they are unchanged at the end.
keep() { # OUT FOLDER
  mkdir -p "$2"
  find "$1/slurm/parts" -path '*/results/s*.json' -exec cp {} "$2" \;
}
kept() { # OUT FOLDER
  local file
  for file in "$2"/*.json; do
    [[ ! -e $file ]] || cmp "$file" "$1/results/$(basename "$file")" || { echo "FAILED: judged twice" && exit 1; }
  done
}

echo "== on three nodes, alone on each"
batch "$work/out" --slurm 6 --sbatch=--exclusive | tee "$work/said"
read -r array merge < <(jobs_of "$work/said")
for job in "$array" "$merge"; do
  scontrol show job "$job" >"$work/job"
  if ! grep -q 'OverSubscribe=NO' "$work/job" || grep -q 'OverSubscribe=OK' "$work/job"; then
    echo "FAILED: job $job does not have its nodes for itself" && cat "$work/job" && exit 1
  fi
done
wait_for 240 "the merge" merged "$merge"
same "$work/out"
not_judged_twice "$work/out"
# The course's headers are compiled by one task for all, where the compiler can.
(($(find "$work/out" -name '*.gch' | wc -l) <= 1)) || { echo "FAILED: headers were compiled again" && exit 1; }

echo "== a node is lost, and a task is killed"
batch "$work/lost" --slurm 6 | tee "$work/said"
read -r array merge < <(jobs_of "$work/said")
running() { (($(squeue --noheader --array --states=running --jobs="$array" | wc -l) >= 2)); }
wait_for 60 "running tasks" running
keep "$work/lost" "$work/before-lost"
kill -9 "$(cat "$work/slurmd.n2.pid")"
pkill -9 -f "slurmstepd: \[$array" || true # all running tasks, as if the machine went down
rm -f "$work/slurmd.n2.pid"
task_runs() { pgrep -f "slice $array" || pgrep -f "lost/slurm/parts"; }
wait_for 60 "a task to kill" task_runs
pkill -9 -o -f "lost/slurm/parts" # like the kernel when memory runs out
wait_for 300 "the merge" merged "$merge"
same "$work/lost"
"$grader" report --diff "$work/alone" "$work/lost" | grep 'no difference' >/dev/null
not_judged_twice "$work/lost"
kept "$work/lost" "$work/before-lost"

echo "== a task runs out of memory"
slurmd -N n2
wait_for 60 "three idle nodes" nodes_idle
batch "$work/full" --slurm 6 | tee "$work/said"
read -r array merge < <(jobs_of "$work/said")
# The last task, which is waiting for a node, may get less memory than the compiler needs.
scontrol update "JobId=${array}_5" MinMemoryNode=60
wait_for 300 "the merge" merged "$merge"
grep -q 'memory' "$work/full/slurm/task-5.log" ||
  { echo "FAILED: task 5 had enough" && cat "$work/full/slurm/task-5.log" && exit 1; }
same "$work/full"
not_judged_twice "$work/full"

echo "== cancelled, and the same command goes on"
wait_for 60 "three idle nodes" nodes_idle
batch "$work/stopped" --slurm 6 | tee "$work/said"
read -r array merge < <(jobs_of "$work/said")
stored() { find "$work/stopped/slurm/parts" -path '*/results/*.json' 2>/dev/null | wc -l; }
some_stored() { (($(stored) >= 4)); }
wait_for 120 "some results" some_stored
scancel "$array" "$merge"
wait_for 60 "the end of both jobs" merged "$array,$merge"
# A sandbox whose parent is killed while it starts waits for that parent forever. It is process 1 of
# its namespace, has neither parent nor child, and runs nothing.
is_unborn_sandbox() { # PROCESS
  [[ $(ps -o ppid=,comm= -p "$1" | xargs) == "1 bwrap" && -z $(pgrep -P "$1") ]] &&
    grep -q '^NSpid:.*[[:space:]]1$' "/proc/$1/status"
}
no_task_runs() {
  local process
  for process in $(pgrep -f "stopped/slurm/parts"); do
    if is_unborn_sandbox "$process"; then kill -KILL "$process"; elif [[ -e /proc/$process ]]; then return 1; fi
  done
}
wait_for 60 "the end of their programs" no_task_runs
before=$(stored)
((before < 25)) || { echo "FAILED: cancelled too late" && exit 1; }
[[ ! -e $work/stopped/gradebook.csv ]] || { echo "FAILED: merged although cancelled" && exit 1; }
batch "$work/stopped" --slurm 6 | tee "$work/said"
read -r array merge < <(jobs_of "$work/said")
wait_for 240 "the merge" merged "$merge"
same "$work/stopped"
# Results stored before the cancellation were not judged again.
unchanged=$(grep -h ' graded, ' "$work"/stopped/slurm/task-*.log |
  sed -E 's/.* ([0-9]+) unchanged.*/\1/' | paste -sd+)
absent=$(find "$work/stopped/slurm/parts" -name absent.json | wc -l)
((unchanged >= before - absent)) || {
  echo "FAILED: $before results stood, $unchanged were taken as they were" && exit 1
}
echo "three nodes, a lost one, a killed task, one without memory, cancelled jobs: the same points"
