# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# For scripts that try one command of the program roofline: `roofline` is the program, `command` the command.
# What it prints is in $work/out and $work/err.
. "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"
# answers STATUSES WORDS ARGUMENTS...: exit code among STATUSES, at most 80 columns, and WORDS in the output
answers() {
  local statuses="$1" words="$2" code=0
  shift 2
  "$roofline" "$command" "$@" >"$work/out" 2>"$work/err" || code=$?
  [[ " $statuses " == *" $code "* ]] || complain "$command $*: exit code $code: $(cat "$work/err")"
  grep -qF -- "$words" "$work/out" || complain "$command $*: no '$words' in: $(cat "$work/out")"
  awk 'length($0) > 80 { exit 1 }' "$work/out" || complain "$command $*: a line is longer than 80 columns"
}
accepts() { answers 0 "$@"; }

# refuses WORDS ARGUMENTS...: exit code not 0, nothing on stdout, and WORDS in the message
refuses() {
  local words="$1"
  shift
  if "$roofline" "$command" "$@" >"$work/out" 2>"$work/err"; then complain "$command $*: accepted"; fi
  [[ ! -s $work/out ]] || complain "$command $*: refused, and yet it printed a table"
  awk 'length($0) > 80 { exit 1 }' "$work/err" || complain "$command $*: a line of the message is longer than 80"
  tr -s '\n ' '  ' <"$work/err" | grep -F -- "$words" >/dev/null ||
    complain "$command $*: no '$words' in: $(cat "$work/err")"
}
