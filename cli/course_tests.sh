# SPDX-License-Identifier: MIT
# ./lab test: builds everything for every machine whose compiler is here, and runs all tests of the
# course. Prints the time of each step, and ends with one line that counts the tests.

passed=0
failed=0
skipped=0
summary=()

# step TITLE COMMAND... runs one step and notes how long it took; a failed step fails the run.
step() {
  local title="$1" start=$SECONDS status=ok
  shift
  printf '\n== %s\n' "$title"
  if ! "$@"; then
    status=FAILED
    steps_failed=$((steps_failed + 1))
  fi
  summary+=("$(printf '%-46s %-7s %4d s' "$title" "$status" $((SECONDS - start)))")
}

skip_step() {
  printf '\n== %s\nskipped: %s\n' "$1" "$2"
  summary+=("$(printf '%-46s %-7s %s' "$1" skipped "$2")")
}

# run_ctest PRESET runs the course's tests of a preset and adds up what CTest counted.
run_ctest() {
  local junit="$lab_root/build/$1/course-tests.xml" status=0 counts
  rm -f "$junit"
  ctest --preset "$1" --output-junit "$junit" || status=$?
  if [[ ! -f $junit ]]; then
    echo "No test ran for preset $1." >&2
    return 1
  fi
  counts="$(tr '\n' ' ' <"$junit")"
  local total bad left
  total="$(sed -n 's/.*<testsuite [^>]*tests="\([0-9]*\)".*/\1/p' <<<"$counts")"
  bad="$(sed -n 's/.*<testsuite [^>]*failures="\([0-9]*\)".*/\1/p' <<<"$counts")"
  left="$(grep -o '<testcase [^>]*status="\(notrun\|disabled\)"' "$junit" | wc -l)"
  passed=$((passed + total - bad - left))
  failed=$((failed + bad))
  skipped=$((skipped + left))
  return "$status"
}

check_format() {
  local files
  # Starters are what the tool derives from formatted solutions.
  mapfile -t files < <(find gpu roofline harness grader cli solutions docs tests bench -type f \
    \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' \) -not -path 'tests/course/topics/*')
  clang-format --dry-run --Werror "${files[@]}"
}

build_all() { cmake --build --preset "$1"; }

run_course_tests() {
  local start=$SECONDS steps_failed=0
  require_installed core
  if command -v clang-format >/dev/null; then
    step "formatting" check_format
  else
    skip_step "formatting" "clang-format is not installed"
  fi
  step "configure cpu" configure cpu
  step "build cpu" build_all cpu
  step "tests cpu" run_ctest cpu
  if [[ -n $(nvcc_path) ]]; then
    step "configure cuda" configure cuda
    step "build cuda (compile and link)" build_all cuda
    step "tests cuda (GPU tests skip without a GPU)" run_ctest cuda
  else
    skip_step "cuda" "nvcc was not found"
  fi
  if command -v hipcc >/dev/null; then
    step "configure hip" configure hip
    step "build hip (compile and link)" build_all hip
    step "tests hip (GPU tests skip without a GPU)" run_ctest hip
  else
    skip_step "hip" "hipcc was not found"
  fi
  if command -v doxygen >/dev/null; then
    step "docs (warnings are errors)" build_docs cpu
  else
    skip_step "docs" "doxygen is not installed"
  fi

  printf '\n== steps\n'
  printf '%s\n' "${summary[@]}"
  printf '%-46s         %4d s\n\n' "all" $((SECONDS - start))
  printf 'total: %d passed, %d failed, %d skipped\n' "$passed" $((failed + steps_failed)) "$skipped"
  ((failed + steps_failed == 0))
}
