#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is copied out of this project or read by other programs, with commands in it: templates for
# Gradescope and GitHub Classroom, VS Code's tasks, the dev container, CI. The commands that they name
# exist, with those options, and Gradescope's three scripts work together with stand-ins that only record
# how they were called. Usage: templates.sh PROJECT_ROOT GRADER
set -euo pipefail
. "$(dirname "$0")/../support/shell.sh"
root="$(cd "${1:?usage: templates.sh PROJECT_ROOT GRADER}" && pwd)"
grader="$2"
cd "$root"

mapfile -t files < <(find templates .vscode .devcontainer .ci -type f | sort)
[[ ${#files[@]} -ge 9 ]] || fail "only these files: ${files[*]}"

# Commands may go on after a backslash; every line has its file in front.
for file in "${files[@]}"; do
  sed -e ':a' -e '/\\$/{N;s/\\\n */ /;ta' -e '}' -e "s|^|$file: |" "$file"
done >"$work/lines"

# ./lab COMMAND --OPTION...
help="$(./lab help)"
count=0
while IFS= read -r line; do
  while read -r _ command options; do
    grep -qE "^  $command( |$)" <<<"$help" || fail "there is no ./lab $command: $line"
    for option in $(grep -oE -- '--[a-z-]+' <<<"$options" || true); do
      grep -q -e "$option" <<<"$help" || fail "./lab $command has no $option: $line"
    done
    count=$((count + 1))
  done < <(grep -oE '\./lab [a-z]+( --?[a-z-]+)*' <<<"$line")
done < <(grep -F './lab ' "$work/lines")
[[ $count -ge 10 ]] || fail "only $count calls of ./lab found"

# grader COMMAND --OPTION...
calls=0
while IFS= read -r line; do
  command="$(sed -E 's/.*grader"? ([a-z-]+) .*/\1/' <<<"$line")"
  known="$("$grader" "$command" --help 2>/dev/null)" || fail "there is no grader $command: $line"
  for option in $(sed -E 's/.*grader"? //' <<<"$line" | grep -oE -- ' --[a-z-]+' || true); do
    grep -qE -- "(^|[ ,])$option( |$)" <<<"$known" || fail "grader $command has no $option: $line"
  done
  calls=$((calls + 1))
done < <(grep -E 'grader"? (batch|report|grade|export-student|variants)' "$work/lines" | grep -E -- ' --[a-z]')
[[ $calls -ge 3 ]] || fail "only $calls calls of the grader found"

# cmake --preset NAME, --target NAME
presets="$(grep -oE -- '--preset [a-z]+' "$work/lines" | sort -u | cut -d' ' -f2)"
for preset in $presets; do
  grep -q "\"name\": \"$preset\"" CMakePresets.json || fail "there is no preset $preset"
done
for target in $(grep -oE -- '--target [a-z_-]+' "$work/lines" | sort -u | cut -d' ' -f2); do
  grep -rqE "add_(custom_target|executable)\($target[ )]" CMakeLists.txt cmake grader/CMakeLists.txt || fail "there is no target $target"
done
[[ -n $presets ]] || fail "no preset is named"

# Shell scripts can be read, and may be run.
for file in "${files[@]}"; do
  head -n 1 "$file" | grep -q '^#!.*bash' || continue
  bash -n "$file" || fail "bash cannot read $file"
  [[ -x $file ]] || fail "$file may not be executed"
done
# YAML: no tab, a step for each of what the workflow must do.
workflow=templates/github-classroom/.github/workflows/classroom.yml
grep -qP '\t' "$workflow" && fail "a tab in $workflow"
for part in '^on:' '^jobs:' '^    steps:' 'id: check' 'steps.check.outputs.result' './lab start --yes' './lab check'; do
  grep -q -e "$part" "$workflow" || fail "$workflow has no $part"
done

# Gradescope: the zip, its setup and one submission, in a small repository with a ./lab and a grader that
# only note how they were called.
if command -v git >/dev/null; then
  mkdir -p "$work/course/templates"
  cp -r templates/gradescope "$work/course/templates/"
  cat >"$work/course/lab" <<'LAB'
#!/bin/sh
echo "lab $*" >>"$NOTES"
mkdir -p build/cpu/bin
cat >build/cpu/bin/grader <<'GRADER'
#!/bin/sh
echo "grader $*" >>"$NOTES"
while [ $# -gt 0 ]; do
  case "$1" in
    --out) mkdir -p "$2/results" && echo '{}' >"$2/results/submission.json" ;;
    --from) cat "$2" >/dev/null || exit 1 ;;
    --gradescope) echo '{"score": 1}' >"$2" ;;
  esac
  shift
done
GRADER
chmod +x build/cpu/bin/grader
LAB
  chmod +x "$work/course/lab"
  (cd "$work/course" && git init -q && git add -A &&
    git -c user.name=t -c user.email=t@example.org commit -qm course) || fail "git"
  "$work/course/templates/gradescope/make_zip.sh" "$work/autograder.zip" >/dev/null || fail "make_zip.sh"
  mkdir -p "$work/autograder/source" "$work/autograder/submission/topics/02-peaks"
  echo '["02.a"]' >"$work/autograder/submission/topics/02-peaks/answers.toml"
  (cd "$work/autograder/source" && cmake -E tar xf "$work/autograder.zip")
  # A cmake that only notes what it was to build.
  mkdir "$work/bin"
  printf '#!/bin/sh\nif [ "$1" = --build ]; then echo "cmake $*" >>"$NOTES"; else exec "%s" "$@"; fi\n' \
    "$(command -v cmake)" >"$work/bin/cmake"
  chmod +x "$work/bin/cmake"
  export AUTOGRADER="$work/autograder" NOTES="$work/notes" PATH="$work/bin:$PATH"
  bash "$work/autograder/source/setup.sh" >/dev/null || fail "setup.sh"
  grep -qx "lab start --yes" "$NOTES" || fail "setup.sh does not build: $(<"$NOTES")"
  grep -qx "cmake --build build/cpu --target course" "$NOTES" || fail "setup.sh builds no grader: $(<"$NOTES")"
  EXERCISES="02 03.gemm" bash "$work/autograder/source/run_autograder" >/dev/null || fail "run_autograder"
  grep -q "^grader batch .* --exercise 02 --exercise 03.gemm" "$NOTES" || fail "run_autograder: $(<"$NOTES")"
  if grep -q -e --secret-file "$NOTES"; then fail "a secret without one: $(<"$NOTES")"; fi
  grep -q score "$work/autograder/results/results.json" || fail "no results.json"
  # With the secret of a class's handout.
  echo "a secret of this test only" >"$work/its_secret"
  "$work/course/templates/gradescope/make_zip.sh" "$work/autograder.zip" "$work/its_secret" >/dev/null || fail "make_zip.sh"
  (cd "$work/autograder/source" && cmake -E tar xf "$work/autograder.zip")
  CLASS=2027 bash "$work/autograder/source/run_autograder" >/dev/null || fail "run_autograder with a secret"
  grep -q "^grader batch .* --secret-file $work/autograder/source/secret.txt --class 2027" "$NOTES" ||
    fail "run_autograder with a secret: $(<"$NOTES")"
fi
echo "${#files[@]} files, $count calls of ./lab and $calls of the grader"
