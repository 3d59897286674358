#!/bin/sh
# SPDX-License-Identifier: MIT
# The commands of a topic's checklist: what they check are exercises, whose solutions the proof-solution tests
# judge; where nothing is solved each ends with an error. What is timed needs an idle machine, and
# checklist.txt or the proofs run it.
# Usage: checklist.sh GRADER PROJECT_ROOT BUILD TOPIC LEAST
set -u
grader=$1 root=$2 build=$3 topic=$4 least=$5
page=$root/topics/$topic/README.md
. "$(dirname "$0")/../support/shell.sh"
log=$work/log commands=$work/commands ran=0 timed=0
grade() { "$grader" grade --quiet --root "$root" --build "$build" "$@" >"$log" 2>&1; }
unsolved=yes # unless someone works in this checkout
grep -q '^value = "[^"]' "$root/topics/$topic/answers.toml" && unsolved=
awk -F'|' '/^<a id="checklist"><\/a>/ {on = 1} /^### / {on = 0}
  on && /^\| / && NR > 1 {split($3, part, "`"); if (part[2] != "") print part[2]}' "$page" >"$commands"

while IFS= read -r command; do
  case $command in
    *.speed* | *.bandwidth* | *.predict* | *--require*) timed=$((timed + 1)) && continue ;;
    './lab check '*)
      options=
      for id in ${command#./lab check }; do
        options="$options --exercise $id"
        grep -qF "proof-solution.$id" "$build/proof-solution/$topic-tests.cmake" || complain "$command: no $id is proved"
      done
      # The proof-starter tests try every exercise; here it is the exit code, of those without a program.
      case $command in *.kernel* | *.counted* | *.passes* | *.attention* | *' '[0-9][0-9].f*) ;; *)
        # shellcheck disable=SC2086 # one option for each id
        [ -z "$unsolved" ] || ! grade $options || complain "$command passes with nothing solved" ;;
      esac
      ;;
    'ROOFLINE_WARP_WIDTH=64 build/cpu/bin/'*' --oracle')
      program=${command#*/bin/}
      ROOFLINE_WARP_WIDTH=64 "$build/bin/solutions/${program% --oracle}" --oracle >"$log" 2>&1 ||
        { cat "$log"; complain "$command, solved"; }
      ;;
    *) complain "$command: no check" ;;
  esac
  ran=$((ran + 1))
done <"$commands"
echo "$ran commands of the checklist tried, $timed are timed"
[ "$ran" -ge "$least" ] || complain "the checklist has too few commands"
exit "$bad"
