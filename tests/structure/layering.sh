#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Includes go one way: base <- gpu <- roofline <- harness <- topics, solutions <- (run by) grader <- cli;
# python stands beside cli and has the model only. Every source names its licence, and no folder has more than
# about twenty sources: beyond that it is split by subject.
set -euo pipefail
cd "${1:?usage: layering.sh PROJECT_ROOT}"

# folder, then the parts whose headers it may include (its own always)
allowed() {
  case "$1" in
    base) echo "base" ;;
    gpu) echo "base gpu" ;;
    roofline) echo "base gpu roofline" ;;
    harness) echo "base gpu roofline harness" ;;
    topics) echo "base gpu roofline harness support" ;;
    solutions) echo "base gpu roofline harness" ;;
    grader) echo "base roofline harness grader" ;;
    cli) echo "base roofline harness grader cli" ;;
    python) echo "base roofline python" ;;
  esac
}

bad=0
seen=0
for part in base gpu roofline harness topics solutions grader cli python; do
  may="$(allowed "$part")"
  while IFS=: read -r file line include; do
    seen=$((seen + 1))
    target="${include#*\"}" # no process for each of a thousand includes
    target="${target%%/*}"
    for other in base gpu roofline harness topics solutions grader cli python support; do
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
done < <(find base gpu roofline harness topics solutions grader cli python tests -type f \
  \( -name '*.py' -o -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' -o -name '*.sh' \))
# Distributions have Catch2 in two versions; one header of ours knows both.
while read -r file; do
  echo "$file: includes Catch2 itself, not \"support/catch.hpp\""
  bad=1
done < <(grep -rlE '#[[:space:]]*include[[:space:]]*<catch2/' base bench cli gpu grader harness python roofline tests topics \
  --include='*.hpp' --include='*.cpp' --include='*.cu' | grep -vx 'tests/support/include/support/catch.hpp' || true)
# Hand-ins that the grader must refuse lie side by side, as they would in a class.
most=22
while read -r count folder; do
  if ((count > most)) && [[ $folder != tests/adversarial/* && $folder != tests/wrong/* ]]; then
    echo "$folder has $count sources (at most $most): make a folder for each subject"
    bad=1
  fi
done < <(find base bench cli docs gpu grader harness python roofline solutions tests tools topics -type f \
  \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.sh' -o -name '*.py' -o -name '*.js' -o -name '*.cmake' \) \
  -printf '%h\n' | sort | uniq -c)
echo "$seen includes looked at"
exit "$bad"
