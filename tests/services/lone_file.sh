#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Gradescope's run_autograder around this checkout and its build tree: a lone saxpy.cu without a
# folder earns the kernel's points, in every place that students choose.
# Usage: lone_file.sh PROJECT_ROOT BUILD
set -euo pipefail
root="$(realpath "${1:?usage: lone_file.sh PROJECT_ROOT BUILD}")" build="$(realpath "$2")"
here="$(cd "$(dirname "$0")" && pwd)"
. "$(dirname "$0")/../support/shell.sh"

# The script with its paths to the course's checkout and build tree alone changed.
mkdir -p "$work/autograder"
sed -e "s|^course=.*|course='$root'|" -e "s|\"\$course/build/cpu\"|'$build'|; s|\$course/build/cpu|$build|" \
  "$root/templates/gradescope/run_autograder" >"$work/autograder/run_autograder"
grep -qF "$build/bin/grader" "$work/autograder/run_autograder" || fail "the script has changed"
export AUTOGRADER="$work/autograder" EXERCISES="02.saxpy.kernel"
for place in . Topic2/Saxpy 02-peaks; do
  rm -rf "$work/autograder"/{submission,results}
  mkdir -p "$work/autograder/submission/$place"
  cp "$root/solutions/02-peaks/code/saxpy.cu" "$work/autograder/submission/$place/"
  bash "$work/autograder/run_autograder" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  python3 "$here/expect_scores.py" "$work/autograder/results/results.json" lone ||
    { cat "$work/log"; fail "saxpy.cu in $place"; }
done

# If namespaces are forbidden, as in many containers, submissions are compiled and judged all the same.
if [[ -x /usr/bin/bwrap ]] && unshare --mount true 2>/dev/null; then
  unshare --mount --propagation private bash -c "mount --bind /dev/null /usr/bin/bwrap &&
    bash '$work/autograder/run_autograder'" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  grep -q "light isolation" "$work/log" || { cat "$work/log"; fail "bubblewrap was there"; }
  python3 "$here/expect_scores.py" "$work/autograder/results/results.json" lone ||
    { cat "$work/log"; fail "without bubblewrap"; }
fi
