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

# run_ctest PRESET [OPTION...] runs the course's tests of a preset and adds up what CTest counted. What
# takes time alone is serial by itself.
run_ctest() {
  local junit="$lab_root/build/$1/course-tests.xml" status=0
  rm -f "$junit"
  ctest --preset "$@" --parallel "$(getconf _NPROCESSORS_ONLN)" --output-junit "$junit" || status=$?
  if [[ ! -f $junit ]]; then
    echo "No test ran for preset $1." >&2
    return 1
  fi
  local all bad left again
  all="$(count_cases "$junit" '[a-z]*')"
  bad="$(count_cases "$junit" fail)"
  left="$(count_cases "$junit" '\(notrun\|disabled\)')"
  again="$(time_again "$1" "$junit")"
  if ((again > 0)); then
    echo "$again of the $bad failed tests measure speed and passed when repeated: the machine was busy."
    bad=$((bad - again))
    ((bad == 0)) && status=0
  fi
  passed=$((passed + all - bad - left))
  failed=$((failed + bad))
  skipped=$((skipped + left))
  return "$status"
}

# count_cases JUNIT STATUS prints how many tests have a status.
count_cases() {
  grep -o "<testcase [^>]*status=\"$2\"" "$1" | wc -l
}

# time_again PRESET JUNIT runs the failed tests of speed once more, since other work on the machine can
# make any program slow, and prints how many of them pass then.
time_again() {
  local names second
  second="$lab_root/build/$1/repeated-tests.xml"
  names="$(sed -n 's/.*<testcase name="\([^"]*speed\)".*status="fail".*/\1/p' "$2" | paste -sd '|')"
  rm -f "$second"
  if [[ -n $names ]]; then
    ctest --preset "$1" --tests-regex "^(${names//./[.]})\$" --output-junit "$second" >&2 || true
  fi
  if [[ -f $second ]]; then
    grep -c '<testcase name="[^"]*speed".*status="run"' "$second"
  else
    echo 0
  fi
}

check_format() {
  local files
  # Starters are what the tool derives from formatted solutions.
  mapfile -t files < <(find gpu roofline harness grader cli solutions docs tests bench -type f \
    \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' \) -not -path 'tests/course/topics/*')
  clang-format --dry-run --Werror "${files[@]}"
}

# gpu_preset PRESET GPU builds and tests for a GPU named so. Without one, only what the GPU's compiler
# makes differs from the cpu preset: the programs with kernels.
gpu_preset() {
  step "configure $1" locked "$1" configure "$1"
  if [[ -n $2 ]]; then
    step "build $1" locked "$1" cmake --build --preset "$1"
    step "tests $1" run_ctest "$1"
  else
    step "build $1 (kernels: compile and link)" locked "$1" cmake --build --preset "$1" --target kernels
    step "tests $1 (no GPU: what needs one is skipped)" run_ctest "$1" --tests-regex '^gpu[.]'
  fi
}

run_course_tests() {
  local start=$SECONDS steps_failed=0
  require_installed core
  if command -v clang-format >/dev/null; then
    step "formatting" check_format
  else
    skip_step "formatting" "clang-format is not installed"
  fi
  step "configure cpu" locked cpu configure cpu
  step "build cpu" locked cpu cmake --build --preset cpu
  step "tests cpu" run_ctest cpu
  if [[ -n $(nvcc_path) ]]; then
    gpu_preset cuda "$(nvidia_gpu)"
  else
    skip_step "cuda" "nvcc was not found"
  fi
  if command -v hipcc >/dev/null; then
    gpu_preset hip "$(amd_gpu)"
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
