#!/bin/sh
# SPDX-License-Identifier: MIT
# The committed pictures are what their script draws: images.sh ROOFLINE FOLDER. Versions of gnuplot
# place things differently, so the words and numbers in the pictures are compared.
set -eu
roofline=$1
images=$2
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT

sh "$images/draw.sh" "$roofline" "$fresh"
words() { grep -o '>[^<>]*</tspan>\|>[^<>]*</text>' "$1" | sort; }
compared=0
for picture in "$images"/*.svg; do
  name=$(basename "$picture")
  words "$picture" > "$fresh/is"
  words "$fresh/$name" > "$fresh/should"
  [ -s "$fresh/should" ] || { echo "$name has no words"; exit 1; }
  diff "$fresh/is" "$fresh/should" || { echo "$name: draw it again with draw.sh"; exit 1; }
  compared=$((compared + 1))
done
[ "$compared" -ge 2 ] || { echo "pictures are missing"; exit 1; }
echo "$compared pictures are as drawn"
