#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Timed exercises go to nodes of the kind that the policy names, and have them to themselves: other
# users' jobs that ask for the same kind of node before and after share that node with one another, but
# never with a timed exercise.
#   timed.sh GRADER COURSE BUILD
set -euo pipefail
grader=$1
course=$2
build=$3

students=6
fast_processors=2
source "$(dirname "$0")/nodes.sh"
fill_class "$course"
for student in s1 s2; do # whoever has a kernel is timed
  mkdir "$class/$student/topics/90-course/code"
  { cat "$course/solutions/90-course/code/saxpy.cu" && echo "// $student"; } >"$class/$student/topics/90-course/code/saxpy.cu"
done
cat >"$work/policy.toml" <<'POLICY'
course = "Performance"
timed-nodes = ["--exclusive", "--constraint=fast"]
[[assignment]]
name = "One"
exercises = ["90."]
deadline = 2026-10-20T23:59:00+02:00
[[assignment.submission]]
results = "out"
handed-in = 2026-10-20T12:00:00+02:00
POLICY
fail() { echo "FAILED: $*" && exit 1; }
batch() { # OUT OPTION...
  "$grader" batch "$class" --root "$course" --build "$build" --roster "$work/roster.csv" --policy "$work/policy.toml" \
    --exercise 90.intensity --exercise 90.attainable --exercise 90.saxpy-speed --out "$1" "${@:2}"
}
somebody() { # on a fast node, for some seconds
  sbatch --parsable --constraint=fast --mem=100 --output=/dev/null --wrap "sleep 6"
}
# "START END NODE" of every task of these jobs, as seconds since 1970.
runs_of() { # JOB...
  local job start end node
  for job in "$@"; do
    scontrol --oneliner show job "$job" | grep -oE '^JobId=[0-9]+| (StartTime|EndTime|NodeList)=[^ ]*' |
      cut -d= -f2 | paste - - - - | while read -r _ start end node; do
      echo "$(date -d "$start" +%s) $(date -d "$end" +%s) $node"
    done
  done
}
# Whether two of these runs were on one node at one time.
any_shared() { # FILE FILE
  awk 'NR == FNR { start[NR] = $1; end[NR] = $2; node[NR] = $3; many = NR; own = FILENAME; next }
    { for (i = 1; i <= many; ++i)
        if ((FILENAME != own || FNR != i) && $3 == node[i] && $1 < end[i] && start[i] < $2) found = 1 }
    END { exit !found }' "$1" "$2"
}

others=("$(somebody)" "$(somebody)")
batch "$work/out" --slurm 2 --sbatch=--mem=1500 | tee "$work/said"
others+=("$(somebody)" "$(somebody)")
read -r array timed merge < <(grep -o 'scancel [0-9]* [0-9]* [0-9]*' "$work/said" | cut -d' ' -f2-)
wait_for 300 "the merge and the others" merged "$merge,$(IFS=, && echo "${others[*]}")"

runs_of "$timed" "$merge" >"$work/timed-runs"
runs_of "$array" "${others[@]}" >"$work/other-runs"
runs_of "${others[@]}" >"$work/somebodys"
head -n 20 "$work/timed-runs" "$work/other-runs"
(($(wc -l <"$work/timed-runs") == 3 && $(wc -l <"$work/other-runs") == 6)) || fail "not all jobs are known"
! grep -v ' n3$' "$work/timed-runs" || fail "timed on another kind of node"
! grep -v ' n3$' "$work/somebodys" || fail "others were not on the fast node"
any_shared "$work/somebodys" "$work/somebodys" || fail "the node was nobody's to share, so this shows nothing"
! any_shared "$work/timed-runs" "$work/timed-runs" || fail "two timed tasks shared a node"
! any_shared "$work/timed-runs" "$work/other-runs" || fail "somebody was beside a timed task"

# The times that were measured there are in the results.
for student in s1 s2; do
  verdict=$(grep -h -A 20 '"id": "90.saxpy-speed"' "$work"/out/slurm/timed/*/results/$student.json)
  ! grep -qE '"status": "(error|missing|crashed)"' <<<"$verdict" || { echo "$verdict" && fail "$student was not timed"; }
done
grep -q "^0 graded, $students unchanged" "$work/out/slurm/merge.log" || { cat "$work/out/slurm/merge.log" && fail "the merge judged again"; }
(($(wc -l <"$work/out/gradebook.csv") == students + 2)) || fail "no gradebook of the class"
echo "timed alone on the nodes that the policy names"
