#!/bin/sh
# SPDX-License-Identifier: MIT
# The committed charts of gnuplot are what the site draws: pictures.sh CMAKE ROOFLINE PROJECT_ROOT. Drawn by
# the same gnuplot they are equal; versions place things differently, so else their words are compared.
set -eu
root=$3
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
"$1" "-DROOFLINE=$2" "-DROOT=$root" "-DOUT=$fresh/all" -P "$root/docs/site/charts.cmake"

words() { grep -o '>[^<>]*</tspan>\|>[^<>]*</text>' "$1" | sort; }
gnuplot_of() { grep -m 1 'Produced by GNUPLOT' "$1"; }
compared=0
for picture in $(cd "$fresh/all" && find . -name '*.svg'); do
  case $picture in
  ./*/*) committed=$root/topics/$(dirname "$picture")/images/$(basename "$picture") ;;
  *) committed=$root/docs/images/$picture ;;
  esac
  should=$fresh/all/$picture
  if [ "$(gnuplot_of "$committed")" = "$(gnuplot_of "$should")" ]; then
    cmp "$committed" "$should" || { echo "$committed: copy what the docs site drew"; exit 1; }
  else
    words "$committed" >"$fresh/is"
    words "$should" >"$fresh/should"
    [ -s "$fresh/should" ] || { echo "$picture has no words"; exit 1; }
    diff "$fresh/is" "$fresh/should" || { echo "$committed: copy what the docs site drew"; exit 1; }
  fi
  compared=$((compared + 1))
done
committed=$(grep -l 'Produced by GNUPLOT' "$root"/topics/*/images/*.svg | wc -l)
[ "$compared" -eq "$committed" ] || { echo "$committed pictures, $compared of them drawn"; exit 1; }
echo "$compared pictures are as drawn"
