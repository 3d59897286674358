#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Exports a handout, looks for answers in it, builds it, and solves a number, a function and a kernel.
# Usage: handout.sh PROJECT_ROOT BUILD CXX [COMPILER_LAUNCHER]
set -euo pipefail
root="${1:?usage: handout.sh PROJECT_ROOT BUILD CXX [COMPILER_LAUNCHER]}"
build="$2" compiler="$3" launcher="${4:-}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
out="$work/handout"
fail() { echo "FAILED: $*"; exit 1; }

"$build/bin/grader" export-student "$out" --root "$root" --build "$build"

# --- What must not be in it ---
for path in solutions tests/wrong tests/adversarial tests/roofline docs/values bench tools .ci; do
  [[ ! -e $out/$path ]] || fail "$path is in the handout"
done
grep -rqE '@solve|@stub' "$out/topics" "$out/.starters" && fail "solution markers in the handout"
grep -qi misconception "$out"/topics/*/exercises.toml && fail "misconceptions in clear"
grep -qE '^(holds|correct|kind|derivation) *=' "$out"/data/errata/*.toml && fail "claims with their right values"

# Lines of the solutions' regions that nothing else in the project has.
awk 'FNR == 1 { inside = 0 }
     /@(stub|end)/ { inside = 0 }
     inside && length($0) > 24 && !/^ *\/\// { sub(/^ +/, ""); print }
     /@solve/ { inside = 1 }' $(find "$root/solutions" -name '*.cu' -o -name '*.cpp' | grep -v '/answers') |
  sort -u >"$work/lines"
[[ $(wc -l <"$work/lines") -gt 20 ]] || fail "only $(wc -l <"$work/lines") solution lines found"
leaks=0
while IFS= read -r line; do
  # What a starter, a check, a write-up or the page on the language shows as well is no secret.
  grep -rqF --include='*.cu' --include='*.cpp' --include='*.hpp' --include='*.md' -e "$line" "$root/topics" "$root/docs/pages/gpu_language.md" && continue
  if grep -rqF -e "$line" "$out/topics" "$out/.course" "$out/.starters" "$out/docs" "$out/templates"; then
    echo "in the handout: $line"
    leaks=$((leaks + 1))
  fi
done <"$work/lines"
((leaks == 0)) || fail "$leaks lines of solutions"

# Reference numbers with enough digits to be recognised, beside the questions and the seals.
"$build/bin/grader" grade --root "$root" --build "$build" --solutions --exercise 02.saxpy.ai >/dev/null
numbers=0
while read -r id; do
  answer="$("$build/bin/lab" --root "$root" --build "$build" show "$id" --spoiler 2>/dev/null | head -n 1 || true)"
  number="${answer%% *}"
  [[ $number =~ ^[0-9]+\.[0-9]{4,}$ ]] || continue
  numbers=$((numbers + 1))
  grep -rqF -- "${number:0:7}" "$out/.course" "$out"/topics/*/exercises.toml "$out"/topics/*/answers.toml &&
    fail "the answer of $id stands in clear"
done < <(sed -n 's/^id = "\(.*\)"/\1/p' "$root"/topics/*/exercises.toml)
((numbers > 3)) || fail "only $numbers numbers could be looked for"

# --- It builds (without optimisation, which takes half the time), and judges ---
cmake -S "$out" -B "$out/build/cpu" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DCMAKE_BUILD_TYPE=Release \
  ${launcher:+-DCMAKE_CXX_COMPILER_LAUNCHER="$launcher"} >"$work/log" || { cat "$work/log"; fail "configuring"; }
cmake --build "$out/build/cpu" -j 4 --target grader 02-peaks-truth 02-peaks-grading >"$work/log" ||
  { tail -n 30 "$work/log"; fail "building"; }

# judge ID STATUS: the verdict of one exercise in the handout
judge() {
  "$out/build/cpu/bin/grader" grade --root "$out" --build "$out/build/cpu" --exercise "$1" >"$work/verdict" 2>&1 || true
  grep -q "^$2 " "$work/verdict" || { cat "$work/verdict"; fail "$1 should be $2"; }
}
answer() { # answer ID VALUE
  awk -v header="[\"$1\"]" -v value="$2" '/^\[/ { inside = $0 == header }
    inside && /^value/ { print "value = \"" value "\""; next } { print }' \
    "$out/topics/02-peaks/answers.toml" >"$work/answers" && cp "$work/answers" "$out/topics/02-peaks/answers.toml"
}

judge 02.saxpy.ai unsolved
answer 02.saxpy.ai "0.25 FLOP/B"
judge 02.saxpy.ai failed
grep -q "the old y\[i\] were not read" "$work/verdict" || fail "the mistake has no message"
answer 02.saxpy.ai "0.1667"
judge 02.saxpy.ai passed

judge 02.function.vector-peak unsolved
cp "$root/solutions/02-peaks/formulas.cpp" "$out/topics/02-peaks/"
sed -i 's/return units \* lanes \* clock_hz \* 2;/return units * lanes * clock_hz;/' "$out/topics/02-peaks/formulas.cpp"
judge 02.function.vector-peak failed
cp "$root/solutions/02-peaks/formulas.cpp" "$out/topics/02-peaks/"
judge 02.function.vector-peak passed

judge 02.saxpy.kernel unsolved
cp "$root/solutions/02-peaks/code/saxpy.cu" "$out/topics/02-peaks/code/"
sed -i 's/fmaf(a, x_part.x, y_part.x)/fmaf(a, x_part.x, 0.0f)/' "$out/topics/02-peaks/code/saxpy.cu"
judge 02.saxpy.kernel failed
cp "$root/solutions/02-peaks/code/saxpy.cu" "$out/topics/02-peaks/code/"
judge 02.saxpy.kernel passed

# The same through CTest.
ctest --test-dir "$out/build/cpu" -L check -R '^check\.02\.(saxpy\.(ai|kernel)|function\.vector-peak)$' >"$work/log" ||
  { cat "$work/log"; fail "ctest -L check"; }
grep -q "100% tests passed, 0 tests failed out of" "$work/log" || { cat "$work/log"; fail "ctest ran nothing"; }
echo "handout: $(wc -l <"$work/lines") solution lines and $numbers numbers looked for, none found"
