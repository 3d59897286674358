#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Exports a handout, searches it for answers as a student would, builds it, and works in it: a
# number, a function, a kernel, its speed, a compiler error, and CTest.
# Usage: handout.sh PROJECT_ROOT BUILD CXX [COMPILER_LAUNCHER]
set -euo pipefail
root="${1:?usage: handout.sh PROJECT_ROOT BUILD CXX [COMPILER_LAUNCHER]}"
build="$2" compiler="$3" launcher="${4:-}"
. "$(dirname "$0")/../support/shell.sh"
out="$work/handout"
step() { echo "$SECONDS s: $*"; }

# The student's own files of a checkout must not be exported: one is added to the course's. In a
# copy, so that the test leaves the source tree unchanged.
mkdir "$work/checkout"
tar -C "$root" --exclude=./build --exclude=./.git --exclude=./.lab -cf - . | tar -C "$work/checkout" -xf -
echo "an instructor's own try" >"$work/checkout/topics/02-peaks/code/saxpy.cu.mine-999"
git -C "$work/checkout" init -q
git -C "$work/checkout" add -A
echo "what the exam will ask" >"$work/checkout/topics/02-peaks/my_notes.txt"
"$build/bin/grader" export-student "$out" --root "$work/checkout" --build "$build" 2>"$work/refused" &&
  fail "somebody's notes are handed out"
grep "topics/02-peaks/my_notes.txt lies in the course" "$work/refused" >/dev/null || fail "$(cat "$work/refused")"
rm "$work/checkout/topics/02-peaks/my_notes.txt"
"$build/bin/grader" export-student "$out" --root "$work/checkout" --build "$build"
step "exported"

# --- What must not be in it ---
for path in .git solutions tests/wrong tests/adversarial tests/roofline tests/course docs/values docs/figures bench tools \
  .ci .lab build CONTRIBUTING.md; do
  [[ ! -e $out/$path ]] || fail "$path is in the handout"
done
[[ -z $(find "$out" -name '*.mine-*') ]] || fail "somebody's own files are in the handout"
[[ -z $(find "$out" -type l) ]] || fail "links are in the handout, which may lead out of it"
grep -rqE '@solve|@stub' "$out/topics" "$out/.starters" && fail "solution markers in the handout"
grep -qi misconception "$out"/topics/*/exercises.toml && fail "misconceptions in clear"
grep -qE '^(holds|correct|kind|derivation) *=' "$out"/data/errata/*.toml && fail "claims with their right values"

# Lines of the solutions' regions that occur nowhere else in the project.
awk 'FNR == 1 { inside = 0 }
     /@(stub|end)/ { inside = 0 }
     inside && length($0) > 24 && !/^ *\/\// { sub(/^ +/, ""); print }
     /@solve/ { inside = 1 }' $(find "$root/solutions" -name '*.cu' -o -name '*.cpp' | grep -v '/answers') |
  sort -u >"$work/lines"
[[ $(wc -l <"$work/lines") -gt 20 ]] || fail "only $(wc -l <"$work/lines") solution lines found"
# Lines that also occur in a starter, a check, a write-up or the page on the language are not
# secret.
grep -rhF --include='*.cu' --include='*.cpp' --include='*.hpp' --include='*.md' -f "$work/lines" \
  "$root/topics" "$root/docs/pages/gpu_language.md" >"$work/known" || true
grep -rF -f "$work/lines" "$out/topics" "$out/.course" "$out/.starters" "$out/docs" "$out/templates" \
  "$out/tests" >"$work/found" || true
leaks=0
while IFS= read -r line; do
  grep -qF -e "$line" "$work/known" && continue
  if grep -F -e "$line" "$work/found"; then leaks=$((leaks + 1)); fi
done <"$work/lines"
((leaks == 0)) || fail "$leaks lines of solutions"

# Reference numbers with enough digits to be recognised, next to the questions and the seals. A
# write-up may contain some, if an exercise asks to follow its worked example (docs/adr/0007): they
# are counted.
"$build/bin/lab" --root "$root" --build "$build" list >/dev/null # the programs exist
numbers=0
worked=0
while read -r id; do
  answer="$("$build/bin/lab" --root "$root" --build "$build" show "$id" --spoiler 2>/dev/null | head -n 1 || true)"
  number="${answer%% *}"
  [[ $number =~ ^[0-9]+\.[0-9]{4,}$ ]] || continue
  numbers=$((numbers + 1))
  grep -rqF -- "${number:0:7}" "$out/.course" "$out"/topics/*/exercises.toml "$out"/topics/*/answers.toml \
    "$out"/topics/*/code "$out"/data/errata && fail "the answer of $id stands in clear"
  if grep -rqF -- "${number:0:6}" "$out"/topics/*/README.md; then
    worked=$((worked + 1))
    echo "in a write-up: $id, ${number:0:6}"
  fi
done < <(awk '/^\[\[exercise\]\]/ { id = "" } /^id = / { gsub(/"/, "", $3); id = $3 }
              /^kind = "number"/ { print id }' "$root"/topics/*/exercises.toml)
((numbers > 3)) || fail "only $numbers numbers could be looked for"
step "searched: $(wc -l <"$work/lines") lines of solutions and $numbers numbers"

# --- It builds, and judges ---
cmake -S "$out" -B "$out/build/cpu" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DROOFLINE_WERROR="${CI:-}" \
  ${launcher:+-DCMAKE_CXX_COMPILER_LAUNCHER="$launcher"} >"$work/log" || { cat "$work/log"; fail "configuring"; }
# The roofline program by its path: a lab of topic 03 has the same name.
cmake --build "$out/build/cpu" -j 4 --target grader lab bin/roofline 02-peaks-oracle 02-peaks-grading \
  03-roofline-modeling-oracle \
  >"$work/log" || { tail -n 30 "$work/log"; fail "building"; }
step "built"

# judge ID STATUS...: the verdict on one exercise in the handout is one of these
judge() {
  local id="$1" status
  shift
  "$out/build/cpu/bin/grader" grade --root "$out" --build "$out/build/cpu" --exercise "$id" >"$work/verdict" 2>&1 || true
  for status in "$@"; do
    if grep -q "^$status " "$work/verdict"; then return; fi
  done
  cat "$work/verdict"
  fail "$id should be $*"
}
says() { grep -q -e "$1" "$work/verdict" || { cat "$work/verdict"; fail "the verdict does not say: $1"; }; }
answer() { # answer ID VALUE
  awk -v header="[\"$1\"]" -v value="$2" '/^\[/ { inside = $0 == header }
    inside && /^value/ { print "value = \"" value "\""; next } { print }' \
    "$out/topics/02-peaks/answers.toml" >"$work/answers" && cp "$work/answers" "$out/topics/02-peaks/answers.toml"
}

judge 02.saxpy.ai unsolved
answer 02.saxpy.ai "0.25 FLOP/B"
judge 02.saxpy.ai failed
says "does not read the old y\[i\]"
answer 02.saxpy.ai "0.1667 B"
judge 02.saxpy.ai failed
says "bytes, but operations/bytes is expected"
answer 02.saxpy.ai "0.1667"
judge 02.saxpy.ai passed

# A listed mistake near the right value is not taken for a rounded one, nor the other way round.
answer 02.measure.spread "6.19"
judge 02.measure.spread failed
says "It looks like this: This divides by the mean"
answer 02.measure.spread "6"
judge 02.measure.spread failed
says "close: give four significant digits"
answer 02.measure.spread "6.28"
judge 02.measure.spread passed

answer 02.claims.unit "matrix"
judge 02.claims.unit failed
says "It looks like this: Matrix units take whole tiles"
answer 02.claims.unit "vector"
judge 02.claims.unit passed

judge 02.function.vector-peak unsolved
cp "$root/solutions/02-peaks/formulas.cpp" "$out/topics/02-peaks/"
sed -i 's/return units \* lanes \* clock_hz \* 2;/return units * lanes * clock_hz;/' "$out/topics/02-peaks/formulas.cpp"
judge 02.function.vector-peak failed
says "It looks like this: half of it: a fused multiply-add counts"
sed -i 's/return units \* matrix_units \*/return units */' "$out/topics/02-peaks/formulas.cpp"
judge 02.function.matrix-peak failed
says "It looks like this: This leaves out the number of matrix units"
cp "$root/solutions/02-peaks/formulas.cpp" "$out/topics/02-peaks/"
judge 02.function.vector-peak passed

saxpy="$out/topics/02-peaks/code/saxpy.cu"
solution="$root/solutions/02-peaks/code/saxpy.cu"
judge 02.saxpy.kernel unsolved
judge 02.saxpy.speed unsolved
sed 's/fmaf(a, x_part.x, y_part.x)/fmaf(a, x_part.x, 0.0f)/' "$solution" >"$saxpy"
judge 02.saxpy.kernel failed
sed 's/const auto blocks/const auto block/' "$solution" >"$saxpy"
judge 02.saxpy.kernel failed
says "topics/02-peaks/code/saxpy.cu:"
cp "$solution" "$saxpy"
judge 02.saxpy.kernel passed
step "judged a number, a choice, functions, a kernel and a compiler error"

# Without a GPU the predicted time on a virtual one counts. If no such time is named speed is only
# shown, and compared with the roof once that is measured.
judge 02.saxpy.speed passed
says "predicted for the virtual NVIDIA H200"
cp "$root/solutions/02-peaks/code/gemm.cu" "$out/topics/02-peaks/code/"
judge 02.gemm.speed shown
says "GB/s"
"$out/build/cpu/bin/roofline" measure --quick --out "$out/build/cpu/machine.json" >"$work/log" 2>&1 ||
  { cat "$work/log"; fail "measuring"; }
judge 02.gemm.speed shown
says "of this machine's roof"
says "without a GPU speed is not judged"
# Without a solution, a prediction is about the student's own program.
answer 02.triad.prediction "1 s"
judge 02.triad.prediction unsolved
step "showed a speed"

# The same through CTest, and through the student's command.
ctest --test-dir "$out/build/cpu" -L check -R '^check\.02\.(saxpy\.(ai|kernel)|function\.vector-peak)$' >"$work/log" ||
  { cat "$work/log"; fail "ctest -L check"; }
grep -q "100% tests passed, 0 tests failed out of" "$work/log" || { cat "$work/log"; fail "ctest ran nothing"; }
ctest --test-dir "$out/build/cpu" -N -L check | sed -n 's/^Total Tests: /tests with the label check: /p'
lab() { "$out/build/cpu/bin/lab" --root "$out" --build "$out/build/cpu" "$@"; }
lab list 02.saxpy >"$work/log"
grep -q '^\* 02.saxpy.kernel' "$work/log" || { cat "$work/log"; fail "lab list does not know what CTest judged"; }
lab show 02.saxpy.kernel --spoiler >"$work/log" 2>&1 && fail "lab show shows a solution"
grep -q "handed out without solutions" "$work/log" || { cat "$work/log"; fail "lab show says something else"; }
lab reset 02.saxpy.kernel --file >"$work/log" || { cat "$work/log"; fail "lab reset"; }
judge 02.saxpy.kernel unsolved
step "ctest and lab"

# The book can be built in it, with its self-check boxes and without dead links.
cmake --build "$out/build/cpu" --target help >"$work/targets" # not a pipe: grep -q would break it
if grep -q '^docs:' "$work/targets"; then
  cmake --build "$out/build/cpu" --target docs >"$work/log" 2>&1 || { tail -n 20 "$work/log"; fail "the book"; }
  "$build/bin/tests/site-links" "$out/build/cpu/docs/html" "$out" || fail "links of the book"
  boxes="$(cat "$out"/build/cpu/docs/html/topic_*.html | grep -o 'class="rl-check"' | wc -l)"
  ((boxes > 20)) || fail "the book has $boxes self-check boxes"
  step "the book, with $boxes self-check boxes"
fi

# --- The numbers of a class: asked for, judged and shown in the book; the write-up's are wrong ---
echo "a secret of this test only" >"$work/secret.txt"
class="$work/class"
numbers_of=(--secret-file "$work/secret.txt" --class 2027)
"$build/bin/grader" export-student "$class" --root "$work/checkout" --build "$build" "${numbers_of[@]}" >"$work/log" ||
  { cat "$work/log"; fail "exporting for a class"; }
grep "ask for the class's numbers" "$work/log" || fail "the export does not say how many exercises have numbers"
grep -rqF "a secret of this test only" "$class" && fail "the secret is in the handout"
gmacs="$("$build/bin/grader" variants --root "$root" "${numbers_of[@]}" | sed -n 's/^  gmacs = //p')"
[[ -n $gmacs && $gmacs != 4.1 ]] || fail "the class has the number of the write-up, $gmacs"
"$build/bin/lab" --root "$class" --build "$build" next >"$work/log"
grep -q "A network needs $gmacs billion" "$work/log" || { cat "$work/log"; fail "lab next asks for something else"; }
if [[ -x $build/docs/page_filter ]]; then
  mkdir "$work/seals"
  cp "$class/.course/answers.json" "$work/seals/01-ai-basics.json"
  "$build/docs/page_filter" "$class" "$work/seals" "$class/topics/01-ai-basics/README.md" >"$work/page"
  grep -q "rl-check.*A network needs $gmacs billion" "$work/page" || fail "the book's box asks for something else"
fi
# of_class STATUS ANSWER: the verdict on an answer to 01.count.mac
of_class() {
  printf '["01.count.mac"]\nvalue = "%s"\n' "$2" >"$class/topics/01-ai-basics/answers.toml"
  "$build/bin/grader" grade --root "$class" --build "$build" --exercise 01.count.mac >"$work/verdict" 2>&1 || true
  grep -q "^$1 " "$work/verdict" || { cat "$work/verdict"; fail "$2 GFLOP for $gmacs GMAC should be $1"; }
}
of_class passed "$(awk "BEGIN { print 2 * $gmacs }")"
of_class failed 8.2 # the write-up's
of_class failed "$gmacs"
says "This is the number of multiply-accumulates"
step "a handout with the numbers of a class"

# --- The same handout for two students, who have other numbers ---
printf 'id\nada\nben\ncyd\ndan\n' >"$work/roster.csv"
"$build/bin/grader" variants --root "$root" --build "$build" --secret-file "$work/secret.txt" \
  --roster "$work/roster.csv" --out "$work/own" >"$work/log" || { cat "$work/log"; fail "the students' own files"; }
# of_student STUDENT: copies the student's files over the handout
of_student() { (cd "$class" && cmake -E tar xf "$work/own/$1.zip"); }
own_gmacs() { sed -n 's/^  gmacs = //p' "$class/numbers.txt"; }
of_student ada
first="$(own_gmacs)"
for other in ben cyd dan; do
  of_student "$other"
  gmacs="$(own_gmacs)"
  if [[ $gmacs != "$first" ]]; then break; fi
done
[[ $gmacs != "$first" ]] || fail "four students have the same number, $gmacs"
"$build/bin/lab" --root "$class" --build "$build" next >"$work/log"
grep "A network needs $gmacs billion" "$work/log" >/dev/null || { cat "$work/log"; fail "lab next asks for another student's"; }
of_class passed "$(awk "BEGIN { print 2 * $gmacs }")"
of_class failed "$(awk "BEGIN { print 2 * $first }")"
of_student ada
of_class passed "$(awk "BEGIN { print 2 * $first }")"
of_class failed "$(awk "BEGIN { print 2 * $gmacs }")"
step "the files of two students"
echo "handout: $(wc -l <"$work/lines") lines of solutions and $numbers numbers looked for, none found;" \
  "$worked of the numbers are worked examples of a write-up"
