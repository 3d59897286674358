#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every relative link and anchor in the project's Markdown leads somewhere.
set -euo pipefail
cd "${1:?usage: links.sh PROJECT_ROOT}"

has_anchor() {
  local file="$1" anchor="$2"
  grep -qE "(id|name)=\"$anchor\"|\{#$anchor\}" "$file"
}

bad=0
seen=0
while IFS= read -r file; do
  folder="$(dirname "$file")"
  while IFS= read -r target; do
    [[ -z $target || $target =~ ^[a-z]+: ]] && continue
    seen=$((seen + 1))
    path="${target%%#*}"
    anchor=""
    [[ $target == *#* ]] && anchor="${target#*#}"
    if [[ -z $path ]]; then
      resolved="$file"
    elif [[ -e $folder/$path ]]; then
      resolved="$folder/$path"
    elif [[ -e $path ]]; then
      resolved="$path" # Doxygen resolves paths from the project's root
    else
      echo "$file: link to $target: no such file"
      bad=1
      continue
    fi
    if [[ -n $anchor && -f $resolved ]] && ! has_anchor "$resolved" "$anchor"; then
      echo "$file: link to $target: no such anchor"
      bad=1
    fi
  done < <(grep -oE '\]\([^) ]+\)' "$file" | sed -E 's/^\]\((.*)\)$/\1/')
done < <(find . -name '*.md' -not -path './build/*' -not -path './.*/*')
if ((seen == 0)); then
  echo "No link was found at all: is this the project's root?"
  exit 1
fi
echo "$seen links looked at"
exit "$bad"
