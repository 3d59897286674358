#!/bin/sh
# SPDX-License-Identifier: MIT
# The solution's roofline.cu alone: every compiler that exists builds it with the command of its first
# comment, and what can run says the same. Usage: roofline_program.sh PROJECT_ROOT
set -u
starter=topics/03-roofline-modeling/code/roofline.cu
. "$(dirname "$0")/../support/shell.sh"
cp "$1/solutions/03-roofline-modeling/code/roofline.cu" "$work/roofline.cu" || exit 1
cp "$1/$starter" "$work/starter.cu" || exit 1
cd "$work" || exit 1


# The command of the first comment that begins with a compiler, for the solution's file.
command_of() {
  line=$(sed -n "1,12s|^// *\($1 .* -o roofline\)\$|\1|p" roofline.cu)
  [ -n "$line" ] || fail "the first comment has no command for $1"
  echo "$line" | sed "s|$starter|roofline.cu|; s|-o roofline|-o roofline-$1|"
}

built=
missing=
for compiler in nvcc hipcc g++; do
  build=$(command_of "$compiler") || exit 1
  command -v "$compiler" >/dev/null || { missing="$missing $compiler"; continue; }
  if ! sh -c "$build" >build.txt 2>&1; then
    # A toolchain older than the chip in the command builds for one that it knows.
    { grep -q gfx942 build.txt && sh -c "$(echo "$build" | sed 's/gfx942/gfx90a/')" >build.txt 2>&1; } ||
      { cat build.txt; fail "$compiler does not build roofline.cu"; }
    echo "this $compiler does not know gfx942: built for gfx90a"
  fi
  built="$built $compiler"
done
command -v g++ >/dev/null || { echo "no g++"; exit 77; }
if command -v clang++ >/dev/null; then
  sh -c "$(command_of g++ | sed 's/^g++/clang++/; s/-o roofline-g++/-o roofline-clang++/')" \
    >build.txt 2>&1 && built="$built clang++"
fi
echo "built with:$built"
[ -z "$missing" ] || echo "not here, so not tried:$missing"

# The starter, by the same command as it stands there: it builds, and says what is missing.
sh -c "$(command_of g++ | sed "s|roofline.cu|starter.cu|; s|-o roofline-g++|-o starter|")" >build.txt 2>&1 ||
  { cat build.txt; fail "the starter does not build alone"; }
expect 1 ./starter 1000 4 1
grep -q 'unsolved: 03.roofline' err.txt || { cat err.txt; fail "the starter does not say what is unsolved"; }

# What does not depend on the machine: the lines, the intensities, the number of rows.
shape() { sed 's/[0-9.]* s, [0-9.]* GB\/s, [0-9.]* GFLOP\/s/T/; s/[0-9.]* s, [0-9.]* GFLOP\/s/T/' "$1" |
  awk '/^Elements|^SAXPY|^FMA/ {print} /memory$|compute$/ {print $1}'; }
for compiler in $built; do
  case $compiler in
    nvcc) nvidia-smi >/dev/null 2>&1 || continue ;;
    hipcc) [ -e /dev/kfd ] || continue ;;
  esac
  program=./roofline-$compiler
  expect 0 "$program" 100003 64 3 points.csv
  grep -q '^Elements: 100003, iterations: 64, repeats: 3' out.txt || fail "$compiler: first lines"
  grep -q 'SAXPY: .* GB/s, .* GFLOP/s, AI 0.1667$' out.txt || fail "$compiler: SAXPY line"
  grep -q 'FMA: .* GFLOP/s, AI 16$' out.txt || fail "$compiler: FMA line"
  [ "$(grep -cE ' (memory|compute)$' out.txt)" -eq 9 ] || fail "$compiler: nine rows"
  [ "$(wc -l <points.csv)" -eq 7 ] || fail "$compiler: points.csv"
  shape out.txt >shape.txt
  if [ -e first.txt ]; then
    cmp -s first.txt shape.txt || { diff first.txt shape.txt; fail "$compiler prints something else"; }
  else
    cp shape.txt first.txt
  fi
  for wrong in 0 -5 x 1.5 999999999999999999999; do
    expect 2 "$program" "$wrong"
    [ "$(wc -l <err.txt)" -eq 1 ] || fail "$compiler: '$wrong' gets no single sentence"
  done
  expect 2 "$program" 1000 0
  expect 2 "$program" 1000 10 0
  expect 2 "$program" 1000 10 1 points.csv more
  expect 1 "$program" 274877906944
  grep -q 'try a smaller N' err.txt || fail "$compiler: too large an N"
  expect 1 "$program" 1000 10 1 /nonexistent/points.csv
done
[ -e first.txt ] || fail "nothing could run"
