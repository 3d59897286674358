#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What bash offers after grader and roofline, asked as bash asks: commands, commands of commands, options,
# the values of options; and every option that a help text lists.
#   completion.sh GRADER ROOFLINE
set -euo pipefail
grader="$1" roofline="$2"
. "$(dirname "$0")/../support/shell.sh"
for program in "$grader" "$roofline"; do
  "$program" --completion >"$work/script" || fail "$program --completion ends with $?"
  source "$work/script"
done

# offered WORD...: what completes the last word
offered() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  "_$1"
  echo "${COMPREPLY[*]}"
}
# offers EXPECTED WORD...
offers() {
  local expected="$1" got
  shift
  got="$(offered "$@")"
  [[ $got == "$expected" ]] || fail "$* is completed to '$got', not '$expected'"
}
offers "starter" grader st
offers "plot" roofline pl
offers "wrong" grader new wr
offers "--no-advice" roofline plot h200-sxm --no
offers "--version" roofline --v
offers "kernel" roofline predict --launch k # a value
offers "" roofline plot --out "" # a file, which bash completes by itself
[[ " $(offered roofline "") " == *" measure "*" serve "* ]] || fail "not all commands are offered"
[[ $(complete -p grader) == *"-o default"* ]] || fail "files are not completed"

# All that the help texts list, of commands and of their commands.
count=0
check_help() { # PROGRAM COMMAND...
  local name="${1##*/}" option command
  while read -r option; do
    [[ " $(offered "$name" "${@:2}" "") " == *" $option "* || $option == --help ]] ||
      fail "$option is not completed after $name ${*:2}"
    count=$((count + 1))
  done < <("$@" --help | grep -oE '^  (-[a-zA-Z],)?--[a-z][a-z-]*' | sed 's/.*--/--/')
  while read -r command; do
    [[ " $(offered "$name" "${@:2}" "") " == *" $command "* ]] ||
      fail "$command is not completed after $name ${*:2}"
    check_help "$@" "$command"
  done < <("$@" --help | sed -n '/^Subcommands:/,$s/^  \([a-z][a-z-]*\) .*/\1/p')
}
check_help "$grader"
check_help "$roofline"
((count > 100)) || fail "only $count options were looked at"
echo "$count options are completed"
