#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every shell script of the project can be parsed, and none pipes into "grep -q": it exits at the first
# match, and under pipefail a writer that is still writing then counts as failed, on some machines and
# some days. Usage: scripts.sh PROJECT_ROOT
set -euo pipefail
cd "${1:?usage: scripts.sh PROJECT_ROOT}"
mapfile -t scripts < <(git ls-files 2>/dev/null | grep -E '(\.sh$|^lab$|^\.ci/run$)' || find . -name '*.sh')
((${#scripts[@]} > 10)) || { echo "only these scripts found: ${scripts[*]}" >&2; exit 1; }
bad=0
for script in "${scripts[@]}"; do
  bash -n "$script" || bad=1
  if grep -nE '[^|]\| *grep -[a-zA-Z]*q' "$script" | grep -v 'head -n 1' >&2; then
    echo "$script: pipe into grep >/dev/null, which reads to the end" >&2
    bad=1
  fi
done
exit "$bad"
