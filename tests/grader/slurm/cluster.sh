#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# grader batch --slurm on three nodes: the same points as on one machine, also when a node and a task
# are killed in the middle, when a task runs out of memory, and when all is cancelled and begun again.
#   cluster.sh GRADER COURSE BUILD
set -euo pipefail
grader=$1
course=$2
build=$3

skip() { echo "$1" && exit 77; }
for program in munged slurmctld slurmd sbatch; do
  PATH="$PATH:/usr/sbin" command -v "$program" >/dev/null || skip "$program is not installed"
done
PATH="$PATH:/usr/sbin"
[[ $(id -u) == 0 ]] || skip "starting slurmd needs root"

work=$(mktemp -d)
chmod 755 "$work"
export SLURM_CONF=$work/slurm.conf
stop() {
  local file
  for file in "$work"/*.pid; do [[ ! -f $file ]] || kill -9 "$(cat "$file")" 2>/dev/null || true; done
  pkill -9 -f "slurmstepd.*$work" 2>/dev/null || true
  rm -rf "$work"
}
trap stop EXIT

# Ports of this run's own, so that two checkouts can test at once.
port=$((20000 + $$ % 20000))
cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmctldPidFile=$work/slurmctld.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdPidFile=$work/slurmd.%n.pid
SlurmdSpoolDir=$work/spool.%n
SlurmdLogFile=$work/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
ReturnToService=2
SlurmdTimeout=10
InactiveLimit=0
KillWait=1
MinJobAge=600
NodeName=n[1-3] NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 3))] CPUs=1 RealMemory=2000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
mkdir -p "$work/state"
dd if=/dev/urandom of="$work/munge.key" bs=128 count=1 2>/dev/null
chmod 400 "$work/munge.key"
munged --force --key-file="$work/munge.key" --socket="$work/munge.socket" \
  --pid-file="$work/munged.pid" --log-file="$work/munged.log" --seed-file="$work/munge.seed" ||
  skip "munged does not start here"
slurmctld || skip "slurmctld does not start here"
for node in n1 n2 n3; do slurmd -N "$node" || skip "slurmd does not start here"; done

# wait_for SECONDS WHAT COMMAND...: until the command succeeds.
wait_for() {
  local left=$1 what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    ((left-- > 0)) || {
      echo "FAILED: waited for $what"
      squeue -a || true
      sinfo || true
      tail -n 20 "$work"/slurmctld.log "$work"/out/slurm/*.log || true
      exit 1
    }
    sleep 1
  done
}
nodes_idle() { (($(sinfo --noheader --Node --states=idle | wc -l) == 3)); }
wait_for 60 "three idle nodes" nodes_idle

# A class of 24: everybody has formulas of their own to be compiled, and half the intensities are wrong.
class=$work/class
echo "id" >"$work/roster.csv"
for i in $(seq -w 1 24); do
  folder=$class/s$i/topics/90-course
  mkdir -p "$folder"
  { cat "$course/solutions/90-course/formulas.cpp" && echo "// student $i"; } >"$folder/formulas.cpp"
  value=0.1667
  ((10#$i % 2 == 0)) || value=6
  printf '["90.intensity"]\nvalue = "%s"\n' "$value" >"$folder/answers.toml"
  echo "s$i" >>"$work/roster.csv"
done
echo "absent" >>"$work/roster.csv"

quiet() { grep -v "about .* s left" || true; }
batch() { # OUT OPTION...
  "$grader" batch "$class" --root "$course" --build "$build" --roster "$work/roster.csv" --out "$1" \
    --exercise 90.intensity --exercise 90.attainable "${@:2}"
}
echo "== on one machine"
batch "$work/alone" | quiet
(($(wc -l <"$work/alone/gradebook.csv") == 26)) || { echo "FAILED: no gradebook of 25" && exit 1; }
grep -q '^s02,,.*,1,' "$work/alone/gradebook.csv" || { echo "FAILED: s02 has no point" && exit 1; }

merged() { [[ -z $(squeue --noheader --jobs="$1" 2>/dev/null) ]]; }
same() { # OUT
  diff "$work/alone/gradebook.csv" "$1/gradebook.csv" || { echo "FAILED: other points in $1" && exit 1; }
}
jobs_of() { grep -o 'scancel [0-9]* [0-9]*' "$1" | cut -d' ' -f2-; }

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
grep -q '0 graded, 24 unchanged' "$work/out/slurm/merge.log" ||
  { echo "FAILED: the merge judged again" && cat "$work/out/slurm/merge.log" && exit 1; }

echo "== a node is lost, and a task is killed"
batch "$work/lost" --slurm 6 | tee "$work/said"
read -r array merge < <(jobs_of "$work/said")
running() { (($(squeue --noheader --array --states=running --jobs="$array" | wc -l) >= 2)); }
wait_for 60 "running tasks" running
kill -9 "$(cat "$work/slurmd.n2.pid")"
pkill -9 -f "slurmstepd: \[$array" || true # every task that runs, as a machine that goes down does
rm -f "$work/slurmd.n2.pid"
task_runs() { pgrep -f "slice $array" || pgrep -f "lost/slurm/parts"; }
wait_for 60 "a task to kill" task_runs
pkill -9 -o -f "lost/slurm/parts" # as the kernel does where memory ends
wait_for 300 "the merge" merged "$merge"
same "$work/lost"
"$grader" report --diff "$work/alone" "$work/lost" | grep 'no difference' >/dev/null
cat "$work/lost/slurm/merge.log"

echo "== a task runs out of memory"
slurmd -N n2
wait_for 60 "three idle nodes" nodes_idle
batch "$work/full" --slurm 6 | tee "$work/said"
read -r array merge < <(jobs_of "$work/said")
# The last task, which waits for a node, may have less than the compiler needs.
scontrol update "JobId=${array}_5" MinMemoryNode=60
wait_for 300 "the merge" merged "$merge"
grep -q 'memory' "$work/full/slurm/task-5.log" ||
  { echo "FAILED: task 5 had enough" && cat "$work/full/slurm/task-5.log" && exit 1; }
same "$work/full"
cat "$work/full/slurm/merge.log"

echo "== cancelled, and the same command goes on"
wait_for 60 "three idle nodes" nodes_idle
batch "$work/stopped" --slurm 6 | tee "$work/said"
read -r array merge < <(jobs_of "$work/said")
stored() { find "$work/stopped/slurm/parts" -path '*/results/*.json' 2>/dev/null | wc -l; }
some_stored() { (($(stored) >= 4)); }
wait_for 120 "some results" some_stored
scancel "$array" "$merge"
wait_for 60 "the end of both jobs" merged "$array,$merge"
no_task_runs() { ! pgrep -f "stopped/slurm/parts"; }
wait_for 60 "the end of their programs" no_task_runs
before=$(stored)
((before < 25)) || { echo "FAILED: cancelled too late" && exit 1; }
[[ ! -e $work/stopped/gradebook.csv ]] || { echo "FAILED: merged although cancelled" && exit 1; }
batch "$work/stopped" --slurm 6 | tee "$work/said"
read -r array merge < <(jobs_of "$work/said")
wait_for 240 "the merge" merged "$merge"
same "$work/stopped"
# Whatever stood when it was cancelled was not judged again.
unchanged=$(grep -h ' graded, ' "$work"/stopped/slurm/task-*.log |
  sed -E 's/.* ([0-9]+) unchanged.*/\1/' | paste -sd+)
absent=$(find "$work/stopped/slurm/parts" -name absent.json | wc -l)
((unchanged >= before - absent)) || {
  echo "FAILED: $before results stood, $unchanged were taken as they were" && exit 1
}
echo "three nodes, a lost one, a killed task, one without memory, cancelled jobs: the same points"
