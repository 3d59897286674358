#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures how long a class takes on 1, 2 and 3 Slurm nodes with one core each, from the submission of
# the job array to the end of the merge, and prints lines of CSV. All nodes are on this machine, which
# needs as many cores; each node's tasks are bound to its core. data/measured/README.md explains the
# columns.
#   measure_nodes.sh GRADER COURSE BUILD [STUDENTS TASKS RUNS] >data/measured/grader_nodes.csv
set -euo pipefail
grader=$1
course=$2
build=$3
students=${4:-96}
tasks=${5:-8}
runs=${6:-3}

# The nodes' own control group counts the processor time of all that they run.
group=
for root in /sys/fs/cgroup/cpuacct /sys/fs/cgroup; do
  [[ -e $root/cgroup.procs ]] && mkdir "$root/grader-nodes-$$" 2>/dev/null || continue
  group=$root/grader-nodes-$$
  break
done
start_node() { # NAME
  (
    [[ -z $group ]] || echo "$BASHPID" >"$group/cgroup.procs"
    exec taskset -c "$(((${1#n} - 1) % $(nproc)))" slurmd -N "$1"
  )
}
processor_seconds() {
  if [[ -e $group/cpuacct.usage ]]; then
    awk '{ print $1 / 1e9 }' "$group/cpuacct.usage"
  elif [[ -e $group/cpu.stat ]]; then
    awk '$1 == "usage_usec" { print $2 / 1e6 }' "$group/cpu.stat"
  fi
}

source "$(dirname "$0")/nodes.sh"
leave_group() { # once the last of its processes has ended
  local tries
  for tries in 1 2 3 4 5; do sleep 1 && rmdir "$group" 2>/dev/null && return; done
}
trap 'stop && { [[ -z $group ]] || leave_group; }' EXIT
fill_class "$course"
device=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
commit=$(git -C "$(dirname "$0")" rev-parse --short HEAD)

# FIELD of every task of a job, as seconds since 1970, in rising order.
times_of() { # JOB FIELD
  scontrol --oneliner show job "$1" | grep -o " $2=[^ ]*" | cut -d= -f2 | date -f - +%s | sort -n
}
added_up() { paste -sd+ | bc; }

echo "date,commit,device,cores,load,nodes,tasks,students,run,seconds,first_start,task_seconds,merge_start,merge_seconds,graded_by_tasks,processor_seconds"
for run in $(seq "$runs"); do
  for nodes in 1 2 3; do
    ((nodes <= $(nproc))) || break
    for name in n1 n2 n3; do
      state=RESUME
      ((${name#n} <= nodes)) || state=DRAIN
      scontrol update "NodeName=$name" "State=$state" Reason=measuring 2>/dev/null || true
    done
    idle() { (($(sinfo --noheader --Node --format=%T | grep -c '^idle$') == nodes)); }
    wait_for 60 "$nodes idle nodes" idle
    load=$(cut -d' ' -f1 /proc/loadavg)
    out=$work/out-$nodes-$run
    before=$(processor_seconds)
    begin=$EPOCHREALTIME
    "$grader" batch "$class" --root "$course" --build "$build" --roster "$work/roster.csv" --out "$out" \
      --exercise 90.intensity --exercise 90.attainable --slurm "$tasks" >"$work/said"
    read -r array merge < <(jobs_of "$work/said")
    pause=0.2 wait_for 3000 "the merge" merged "$merge"
    seconds=$(bc <<<"scale=1; ($EPOCHREALTIME - $begin) / 1")
    used=$([[ -z $before ]] || bc <<<"scale=1; ($(processor_seconds) - $before) / 1")
    (($(wc -l <"$out/gradebook.csv") == students + 2)) || { echo "FAILED: no gradebook of the class" >&2 && exit 1; }
    stored=$(find "$out/slurm/parts" -path '*/results/s*.json' | wc -l)
    submitted=$(times_of "$array" SubmitTime | head -n 1)
    first=$(times_of "$array" StartTime | head -n 1)
    last=$(times_of "$array" EndTime | tail -n 1)
    spent=$(($(times_of "$array" EndTime | added_up) - $(times_of "$array" StartTime | added_up)))
    merge_start=$(times_of "$merge" StartTime)
    merge_seconds=$(($(times_of "$merge" EndTime) - merge_start))
    echo "$(date +%F),$commit,$device,$(nproc),$load,$nodes,$tasks,$students,$run,$seconds,$((first - submitted)),$spent,$((merge_start - last)),$merge_seconds,$stored,$used"
  done
done
