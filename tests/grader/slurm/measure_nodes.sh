#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How long a class takes on 1, 2 and 3 nodes of Slurm with one processor each, all of them on this
# machine, which needs as many cores: one line of CSV for each, from the submission of the job array to
# the end of the merge. busy_seconds are those of all processors together, whoever used them: more on two
# nodes than on one is work of others, or work that the nodes do twice.
#   measure_nodes.sh GRADER COURSE BUILD >data/measured/grader_nodes.csv
set -euo pipefail
grader=$1
course=$2
build=$3

source "$(dirname "$0")/nodes.sh"
fill_class "$course"
device=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
commit=$(git -C "$(dirname "$0")" rev-parse --short HEAD)
echo "date,commit,device,cores,load,nodes,tasks,students,seconds,graded_by_tasks,busy_seconds"
busy_ticks() { awk '$1 == "cpu" { print $2 + $3 + $4 + $7 + $8 }' /proc/stat; }
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
  begin=$SECONDS
  ticks=$(busy_ticks)
  "$grader" batch "$class" --root "$course" --build "$build" --roster "$work/roster.csv" --out "$work/out-$nodes" \
    --exercise 90.intensity --exercise 90.attainable --slurm 6 >"$work/said"
  read -r _ merge < <(jobs_of "$work/said")
  wait_for 900 "the merge" merged "$merge"
  seconds=$((SECONDS - begin))
  busy=$((($(busy_ticks) - ticks) / $(getconf CLK_TCK)))
  (($(wc -l <"$work/out-$nodes/gradebook.csv") == 26)) || { echo "FAILED: no gradebook of 25" >&2 && exit 1; }
  stored=$(find "$work/out-$nodes/slurm/parts" -path '*/results/s*.json' | wc -l)
  printf '%s,%s,%s,%s,%s,%s,6,24,%s,%s,%s\n' "$(date +%F)" "$commit" "$device" "$(nproc)" "$load" "$nodes" "$seconds" "$stored" "$busy"
done
