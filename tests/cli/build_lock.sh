#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Two builds of one tree, with a cmake that only records when it begins and ends: the second waits and
# says so, and an interrupted one leaves nothing locked. Usage: build_lock.sh PROJECT_ROOT
set -euo pipefail
root="${1:?usage: build_lock.sh PROJECT_ROOT}"
. "$(dirname "$0")/../support/shell.sh"

mkdir -p "$work/course/build/cpu/bin" "$work/bin"
cd "$work/course"
export LOG="$work/log"
cat >"$work/bin/cmake" <<'STUB'
#!/bin/sh
echo "begin" >>"$LOG"
for i in $(seq 100); do # until it may end
  [ -e "$LOG.go" ] && break
  sleep 0.1
done
case "$*" in *"--target first"*) : >build/cpu/bin/lab && chmod +x build/cpu/bin/lab ;; esac
echo "end" >>"$LOG"
STUB
chmod +x "$work/bin/cmake"
export PATH="$work/bin:$PATH"
cat >front_door <<STUB
set -euo pipefail
source "$root/cli/packages.sh"
source "$root/cli/build.sh"
"\$@"
STUB
until_says() { # until_says FILE TEXT
  for _ in $(seq 100); do
    grep -qs -e "$2" "$1" && return
    sleep 0.1
  done
  fail "$1 does not say: $2"
}

# Each build calls cmake twice: to configure and to build.
bash front_door build_course cpu >"$work/first" 2>&1 &
first=$!
until_says "$LOG" begin
bash front_door build_course cpu >"$work/second" 2>&1 &
second=$!
until_says "$work/second" "Another ./lab is building in build/cpu; waiting"
bash front_door ensure_built cpu >"$work/third" 2>&1 &
third=$!
until_says "$work/third" "waiting"
[[ $(<"$LOG") == begin ]] || fail "two at once: $(paste -sd' ' "$LOG")"
[[ $(wc -l <"$work/second") == 1 ]] || fail "more than one line: $(<"$work/second")"
touch "$LOG.go"
wait "$first" "$second" "$third"
wide="$(awk 'length > 80' "$work/first" "$work/second")"
[[ -z $wide ]] || fail "wider than a terminal: $wide"
# If the third one comes last, everything is built and it does nothing.
order="$(paste -sd' ' "$LOG")"
[[ $order =~ ^(begin end ?){4}(begin end ?){0,2}$ ]] || fail "they overlap: $order"
[[ -f build/cpu/.built-from ]] || fail "nothing notes what it was built from"

# With perl instead of flock, as on macOS, the lock is the same.
if command -v perl >/dev/null; then
  mkdir "$work/without"
  for program in bash sh perl git rm mkdir seq sleep dirname tail; do
    ln -s "$(command -v $program)" "$work/without/$program" 2>/dev/null || true
  done
  ln -s "$work/bin/cmake" "$work/without/cmake"
  rm "$LOG.go" "$LOG"
  bash front_door build_course cpu >"$work/first" 2>&1 &
  first=$!
  until_says "$LOG" begin
  PATH="$work/without" bash front_door build_course cpu >"$work/second" 2>&1 &
  second=$!
  until_says "$work/second" "waiting"
  [[ $(<"$LOG") == begin ]] || fail "two at once, with perl: $(paste -sd' ' "$LOG")"
  touch "$LOG.go"
  wait "$first" "$second"
fi

# Ctrl-C goes to all processes in the terminal; the next build can then start immediately.
rm "$LOG.go" "$LOG"
set -m # a separate process group, as in a terminal
bash front_door build_course cpu >"$work/first" 2>&1 &
first=$!
set +m
until_says "$LOG" begin
kill -INT -- "-$first"
wait "$first" && fail "an interrupted build says that it is built"
touch "$LOG.go"
bash front_door build_course cpu >"$work/second" 2>&1
grep -q waiting "$work/second" && fail "an interrupted build leaves the tree locked"
echo "builds wait for one another"
