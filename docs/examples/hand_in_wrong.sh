#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: hand_in_wrong.sh TOPIC PROGRAM NAME
#
# In the checkout that a page's commands run in (example_course.hpp): hands in
# tests/wrong/TOPIC/PROGRAM/NAME as the student's work, source and checked program, so that a
# write-up can show what ./lab profile says about it.
set -eu
topic="$1" program="$2" name="$3"
grader wrong "tests/wrong/$topic/$program" --root . --out "topics/$topic/code"
sed -i "s|\"code/$program.cu\"|\"code/$name.cu\"|" "topics/$topic/exercises.toml"
# One program contains many; it chooses by the path it was called with.
checked="build/cpu/bin/$topic/$program-checked"
rm -f "$checked"
printf '#!/bin/sh\nexec "%s" "$@"\n' \
  "$PWD/build/cpu/bin/tests/wrong/$topic/$program/$name/$topic/$program-checked" >"$checked"
chmod +x "$checked"
