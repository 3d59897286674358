#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ./lab before anything is built: its help, and that help, program and completions know the same
# commands. Usage: front_door.sh PROJECT_ROOT LAB_PROGRAM
set -euo pipefail
. "$(dirname "$0")/../support/shell.sh"
cd "${1:?usage: front_door.sh PROJECT_ROOT LAB_PROGRAM}"
program="$2"

help="$(./lab help)"
too_long="$(awk 'length($0) > 80' <<<"$help")"
[[ -z $too_long ]] || fail "longer than 80 columns: $too_long"
commands="$(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' <<<"$help")"
[[ $(wc -w <<<"$commands") -ge 15 ]] || fail "only these commands in the help: $commands"

# A typo does not start a build.
status=0
said="$(./lab chekc 2>&1)" || status=$?
[[ $status == 2 && $said == *chekc*"./lab help"* ]] || fail "an unknown command ends with $status: $said"

# Help on start appears immediately: nothing is installed, configured or built for it.
for words in "start --help" "start -h" "start --measure --help"; do
  # shellcheck disable=SC2086 # two words or three
  said="$(./lab $words 2>&1)" || fail "$words ends with $?: $said"
  [[ $said == *"start [--yes]"*"--measure"* && $said != *onfiguring* ]] || fail "$words says: $said"
done

# An unknown preset creates no folder, and the message names the known ones.
for words in "--preset cpuu" "--preset=cpuu" "--preset"; do
  status=0
  # shellcheck disable=SC2086 # two words
  said="$(./lab next $words 2>&1)" || status=$?
  [[ $status == 2 && $said == *"asan cpu cuda hip"* ]] || fail "next $words ends with $status: $said"
done
[[ ! -e build/cpuu ]] || fail "a folder for a preset that does not exist"

# Called through a link, and a link to that, from another folder with a blank in its name.
linked="$(mktemp -d)"
trap 'rm -rf "$linked" "${stubs:-$linked}"' EXIT
mkdir "$linked/a folder"
ln -s "$PWD/lab" "$linked/first"
ln -s ../first "$linked/a folder/lab"
said="$(cd "$linked/a folder" && ./lab __ids)" || fail "a link to ./lab ends with $?: $said"
[[ $said == "$(./lab __ids)" ]] || fail "through a link it finds other exercises: $said"

[[ "$(./lab --version)" == "$("$program" --version)" ]] || fail "./lab and its program tell different versions"

# Every command of the program is in the help, with its options, and ./lab passes it on.
while read -r command; do
  grep -qE "^  (.* )?$command( \\|.*)?\)" lab || fail "./lab does not know $command"
  grep -qx "$command" <<<"$commands" || fail "$command is not in ./lab help"
  while read -r option; do
    [[ $option == --help ]] || grep -q -e "$option" <<<"$help" || fail "$command $option is not in ./lab help"
    for shell in bash zsh fish; do
      grep -q -e "${option#--}" "cli/completion/lab.$shell" || [[ $option == --help ]] ||
        fail "$option is not completed in $shell"
    done
  done < <("$program" "$command" --help | grep -oE '^  (-[a-z],)?--[a-z]+' | tr -d ' ' | sed 's/^-h,//')
done < <("$program" --help | sed -n '/^Subcommands:/,$s/^  \([a-z][a-z]*\) .*/\1/p')

# Every command is completed in every shell.
for shell in bash zsh fish; do
  text="$(./lab completion "$shell")"
  for command in $commands; do
    grep -qw -e "$command" <<<"$text" || fail "$command is not completed in $shell"
  done
done
./lab completion tcsh 2>/dev/null && fail "tcsh has no completion"

# The doctor lists installed packages, and what each missing package would add.
needed="$(awk '$1 == "core" || $1 == "extra" { print $2 }' cli/packages.txt)"
said="$(./lab doctor)" || fail "doctor ends with $?: $said"
for part in Machine "  CPU  " "  NVIDIA GPU  " Compilers "  g++  " "  cmake  "; do
  grep -q "^$part" <<<"$said" || fail "the doctor does not say '$part': $said"
done
if command -v apt-get >/dev/null; then # make it look as if nothing were installed
  stubs="$(mktemp -d)"
  printf '#!/bin/sh\nexit 1\n' | tee "$stubs/dpkg-query" >"$stubs/nvidia-smi"
  chmod +x "$stubs/dpkg-query" "$stubs/nvidia-smi"
  said="$(PATH="$stubs:$PATH" ./lab doctor)" || fail "doctor ends with $? where packages are missing"
  for package in $needed; do
    grep -qF "  $(printf '%-22s' "$package") MISSING: " <<<"$said" || fail "the doctor does not miss $package: $said"
  done
  grep -q "NVIDIA GPU .*not found" <<<"$said" || fail "the doctor finds a GPU that nvidia-smi does not"
  grep -q "install what is missing: ./lab start" <<<"$said" || fail "the doctor does not say what to do"
fi

# bash: what completing a command line gives.
source cli/completion/lab.bash
complete_words() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  COMPREPLY=()
  _lab
  echo "${COMPREPLY[*]}"
}
[[ $(complete_words ./lab wa) == watch ]] || fail "wa does not complete to watch"
ids="$(./lab __ids)"
first="${ids%%$'\n'*}"
[[ -n $first ]] || fail "no exercise ids"
[[ $(complete_words ./lab check "${first%?}") == *"$first"* ]] || fail "ids are not completed"
[[ $(complete_words ./lab show --sp) == --spoiler ]] || fail "options are not completed"
if command -v zsh >/dev/null; then zsh -n cli/completion/lab.zsh || fail "zsh cannot read its file"; fi
if command -v fish >/dev/null; then fish -n cli/completion/lab.fish || fail "fish cannot read its file"; fi
echo "$(wc -w <<<"$commands") commands agree"
