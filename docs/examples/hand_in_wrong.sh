#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: hand_in_wrong.sh TOPIC PROGRAM NAME
#
# In the checkout that a page's commands run in (example_course.hpp): makes tests/wrong/TOPIC/PROGRAM/NAME what the
# student handed in, source and checked program, so that a write-up can show what ./lab profile says of it.
set -eu
topic="$1" program="$2" name="$3"
grader wrong "tests/wrong/$topic/$program" --root . --out "topics/$topic/code"
sed -i "s|\"code/$program.cu\"|\"code/$name.cu\"|" "topics/$topic/exercises.toml"
# It is one of many in a program, which knows by its path which one it is.
checked="build/cpu/bin/$topic/$program-checked"
rm -f "$checked"
printf '#!/bin/sh\nexec "%s" "$@"\n' \
  "$PWD/build/cpu/bin/tests/wrong/$topic/$program/$name/$topic/$program-checked" >"$checked"
chmod +x "$checked"
