#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Includes go one way: gpu <- roofline <- harness <- topics, solutions <- (run by) grader <- cli.
set -euo pipefail
cd "${1:?usage: layering.sh PROJECT_ROOT}"

# folder, then the parts whose headers it may include (its own always)
allowed() {
  case "$1" in
    gpu) echo "gpu" ;;
    roofline) echo "gpu roofline" ;;
    harness) echo "gpu roofline harness" ;;
    topics) echo "gpu roofline harness support" ;;
    solutions) echo "gpu roofline harness" ;;
    grader) echo "roofline harness grader" ;;
    cli) echo "roofline harness grader cli" ;;
  esac
}

bad=0
seen=0
for part in gpu roofline harness topics solutions grader cli; do
  may="$(allowed "$part")"
  while IFS=: read -r file line include; do
    seen=$((seen + 1))
    target="${include#*\"}" # no process for each of a thousand includes
    target="${target%%/*}"
    for other in gpu roofline harness topics solutions grader cli support; do
      if [[ $target == "$other" && " $may " != *" $other "* ]]; then
        echo "$file:$line: $part/ may not include $other/ (allowed: $may)"
        bad=1
      fi
    done
    if [[ $include == *'"../'* ]]; then
      echo "$file:$line: includes name the part, not a path with .."
      bad=1
    fi
  done < <(grep -rnE '#[[:space:]]*include[[:space:]]*"[^"]*/' "$part" \
    --include='*.hpp' --include='*.cpp' --include='*.cu' --include='*.h' || true)
done
if ((seen == 0)); then
  echo "No include was found at all: is this the project's root?"
  exit 1
fi
# Every source file says its licence.
while read -r file; do
  { read -r first && read -r second; } <"$file" || true
  if [[ "$first$second" != *'SPDX-License-Identifier: MIT'* ]]; then
    echo "$file: the first line must be the SPDX licence line"
    bad=1
  fi
done < <(find gpu roofline harness topics solutions grader cli tests -type f \
  \( -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' -o -name '*.sh' \))
echo "$seen includes looked at"
exit "$bad"
