#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs to a prefix of its own and moves it. What is there must then work where neither the checkout
# nor the build tree is seen: measure, plot, predict, grade a handout; and a kernel outside of the course is
# built with find_package. Programs, citation and Python package name one version.
#   install.sh BUILD_TREE CHECKOUT CXX
set -euo pipefail
build="$1" checkout="$2" compiler="$3"
. "$(dirname "$0")/../support/shell.sh"


cmake --install "$build" --prefix "$work/first" >"$work/log" || fail "cmake --install failed: $(tail "$work/log")"
mv "$work/first" "$work/prefix"
prefix="$work/prefix"
for file in bin/lab bin/grader bin/roofline share/man/man1/roofline.1 share/roofline-labs/data/machines \
  share/bash-completion/completions/{lab,grader,roofline} include/roofline-labs/gpu/gpu.hpp; do
  [[ -e $prefix/$file ]] || fail "$file is not installed"
done
for path in "$build" "$checkout/solutions" "$checkout/topics"; do
  if grep -rqF "$path/" "$prefix"/lib*/cmake "$prefix/share/man"; then fail "the package names $path"; fi
done
[[ ! -e $prefix/share/roofline-labs/topics && ! -e $prefix/share/roofline-labs/solutions ]] ||
  fail "solutions are installed"

# The checkout and the build tree, out of sight where bubblewrap works.
away=()
if bwrap --dev-bind / / --tmpfs "$checkout" true 2>/dev/null; then
  away=(bwrap --dev-bind / / --tmpfs "$checkout" --tmpfs "$build" --bind "$work" "$work" --chdir "$work")
fi

version="$("${away[@]}" "$prefix/bin/roofline" --version)"
for program in lab grader; do
  said="$("${away[@]}" "$prefix/bin/$program" --version)"
  [[ ${said#"$program "} == "${version#roofline }" ]] || fail "$program says $said, roofline $version"
done
for file in CITATION.cff python/pyproject.toml; do
  grep -qE "^version(:| =) \"?${version#roofline }\"?\$" "$checkout/$file" || fail "$file names another version"
done
"${away[@]}" "$prefix/bin/roofline" machines | grep h200 >/dev/null || fail "an installed roofline knows no machine"
"${away[@]}" "$prefix/bin/roofline" predict llama-3-8b --machine h200-sxm --prompt 128 --output 1 \
  >"$work/predicted" || fail "an installed roofline predicts nothing"
grep -q "Decode step" "$work/predicted" || fail "no decode step: $(cat "$work/predicted")"
"${away[@]}" "$prefix/bin/roofline" measure --only triad fp32.vector --out "$work/roofs.json" >"$work/log" 2>&1 ||
  fail "an installed roofline measures nothing: $(tail "$work/log")"
for machine in h200-sxm "$work/roofs.json"; do
  "${away[@]}" "$prefix/bin/roofline" plot --terminal "$machine" >"$work/plot" ||
    fail "an installed roofline does not plot $machine"
done

# To grade a handout's number, nothing but the sealed answers is needed.
mkdir -p "$work/course/topics/90-course" "$work/course/.course" "$work/course/build"
cp "$checkout"/tests/course/topics/90-course/{exercises.toml,README.md} "$work/course/topics/90-course/"
"$prefix/bin/grader" seal --root "$checkout/tests/course" --build "$build" --topic 90-course \
  --out "$work/course/.course/answers.json"
printf '["90.intensity"]\nvalue = "1/6 FLOP/B"\n' >"$work/course/topics/90-course/answers.toml"
sed -i 's|1/6|0.1667|' "$work/course/topics/90-course/answers.toml"
"${away[@]}" "$prefix/bin/grader" grade --root "$work/course" --build "$work/course/build" \
  --exercise 90.intensity || fail "an installed grader does not judge a handout"

# A kernel of one's own, built with the installed package alone.
cp -r "$checkout/tests/package/own_kernel" "$work/own"
"${away[@]}" cmake -S "$work/own" -B "$work/own/build" -DCMAKE_BUILD_TYPE=Release \
  "-DCMAKE_CXX_COMPILER=$compiler" "-DCMAKE_PREFIX_PATH=$prefix" >"$work/log" 2>&1 ||
  fail "find_package fails: $(tail "$work/log")"
"${away[@]}" cmake --build "$work/own/build" >"$work/log" 2>&1 || fail "own kernel: $(tail "$work/log")"
"${away[@]}" "$work/own/build/scale" --n 4096 --repeats 3 --csv | grep "^scale," >/dev/null ||
  fail "a kernel of one's own measures nothing"
echo "installed, moved and used"
