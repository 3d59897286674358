#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Lets the node n2 of nodes.sh's cluster go down, with all that runs on it.
#   lose_node.sh WORK
set -euo pipefail
kill -9 "$(cat "$1/slurmd.n2.pid")"
rm "$1/slurmd.n2.pid"
killed=0
for process in $(grep -lsz '^SLURMD_NODENAME=n2$' /proc/[0-9]*/environ | cut -d/ -f3); do
  step=$(ps -o ppid= -p "$process" | xargs)
  # Slurm's own process first, or it would report that its job failed.
  [[ $(ps -o args= -p "${step:-0}") != slurmstepd:* ]] || kill -9 "$step"
  kill -9 "$process" 2>/dev/null && killed=$((killed + 1))
done
echo "n2 went down with $killed processes"
((killed > 0))
