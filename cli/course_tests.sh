# SPDX-License-Identifier: MIT
# ./lab test: builds everything for every machine whose compiler is installed, and runs all tests of
# the course. Prints a line per step, a line with the number of tests, and the output of failures.
#   --verbose   show all output of the steps
#   --quick     only the unit tests and the checks of files

readonly test_logs="$lab_root/build/test-logs"
verbose=no
steps=()    # "title|command"
failures=() # "title|log"
passed=0
failed=0
skipped=0

plan() { steps+=("$1|${*:2}"); }
plan_skip() { steps+=("$1|skipped: $2"); }

# What the results depend on: processor, system, compiler.
describe_machine() {
  local cpu system="" vectors
  cpu="$(processor)"
  vectors="$(grep -m 1 -oE ' (avx512f|avx2|asimd) ?' /proc/cpuinfo 2>/dev/null | tail -n 1 || true)"
  [[ ! -r /etc/os-release ]] || system="$(. /etc/os-release && printf '%s' "${PRETTY_NAME:-}")"
  printf '%s x %s (%s), %s, %s %s\n\n' "$(getconf _NPROCESSORS_ONLN)" "${cpu:-processor}" \
    "$(uname -m)${vectors:+ with ${vectors// /}}" "${system:-$(uname -s)}" "${CXX:-c++}" \
    "$("${CXX:-c++}" -dumpfullversion -dumpversion)"
}

# The progress of a step, from the last line that Ninja or CTest wrote to its log.
counter() {
  tail -c 4096 "$1" | grep -oE '^(\[|  *)?[0-9]+/[0-9]+(\]| Test )' | tail -n 1 | grep -oE '[0-9]+/[0-9]+' || true
}

# show_progress LINE LOG repeats LINE with the counter until it is killed.
show_progress() {
  while sleep 0.5; do printf '\r%s %s' "$1" "$(counter "$2")"; done
}

# run_logged LINE LOG COMMAND... runs a command with its output in the log.
run_logged() {
  local line="$1" log="$2" status=0
  shift 2
  if [[ $verbose == yes ]]; then
    printf '%s\n' "$line"
    "$@" 2>&1 | tee "$log" || status=$?
    return "$status"
  fi
  printf '%s' "$line"
  : >"$log"
  if [[ ! -t 1 ]]; then
    "$@" >"$log" 2>&1
    return
  fi
  show_progress "$line" "$log" &
  painter=$!
  trap 'kill "$painter" 2>/dev/null || true' EXIT # also when interrupted
  "$@" >"$log" 2>&1 || status=$?
  kill "$painter" 2>/dev/null || true
  wait "$painter" 2>/dev/null || true
  printf '\r%s' "$line"
  return "$status"
}

# run_step NUMBER TITLE COMMAND runs one step and prints the result. A preset that fails to
# configure or build is not tested.
run_step() {
  local title="$2" log="$test_logs/$1.log" start=$SECONDS status=ok line
  line="$(printf '[%d/%d] %-22s' "$1" "${#steps[@]}" "$title")"
  if [[ $3 == skipped:* ]]; then
    printf '%s %s\n' "$line" "$3"
    return
  fi
  if [[ -n ${broken:-} && $title == *" $broken" ]]; then
    printf '%s not run\n' "$line"
    return
  fi
  # shellcheck disable=SC2086 # the command has several words
  if ! run_logged "$line" "$log" $3; then
    status=FAILED
    failures+=("$title|$log")
    [[ $title == tests* ]] || broken="${title#* }"
  fi
  [[ $verbose == no ]] || printf '%s' "$line"
  local junit="${log%.log}.xml" counts=""
  if [[ -f $junit ]]; then
    count_tests "$junit"
    counts=" $(count_cases "$junit" '[a-z]*') tests"
  elif [[ $status == FAILED ]]; then
    failed=$((failed + 1))
  fi
  printf ' %-6s %4d s%s\n' "$status" $((SECONDS - start)) "$counts"
}

# Every third test mostly waits: for a browser, a sandbox, or a limit to expire.
parallel_tests() {
  local processors
  processors="$(getconf _NPROCESSORS_ONLN)"
  echo $((processors + (processors + 1) / 2))
}

# run_ctest NUMBER PRESET [OPTION...] runs the course's tests of a preset and writes a JUnit file.
run_ctest() {
  local junit="$test_logs/$1.xml" status=0
  ctest --preset "${@:2}" --parallel "$(parallel_tests)" --output-junit "$junit" || status=$?
  [[ -f $junit ]] || { echo "No test ran for preset $2." && return 1; }
  return "$status"
}

# count_cases JUNIT STATUS prints how many tests have a status.
count_cases() {
  { grep -o "<testcase [^>]*status=\"$2\"" "$1" || true; } | wc -l
}

count_tests() {
  local all bad left
  all="$(count_cases "$1" '[a-z]*')"
  bad="$(count_cases "$1" fail)"
  left="$(count_cases "$1" '\(notrun\|disabled\)')"
  passed=$((passed + all - bad - left))
  failed=$((failed + bad))
  skipped=$((skipped + left))
}

# failed_tests JUNIT prints each failed test with its output.
failed_tests() {
  awk '
    /<testcase / { name = $0; sub(/.*<testcase name="/, "", name); sub(/".*/, "", name)
                   fails = /status="fail"/; inside = 0 }
    fails && /<system-out>/ { inside = 1; sub(/.*<system-out>/, ""); print "---- " name }
    fails && inside { ends = sub(/<\/system-out>.*/, ""); print; if (ends) inside = 0 }
  ' "$1" | sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&apos;/'"'"'/g; s/&amp;/\&/g'
}

show_failures() {
  local failure title log
  for failure in "${failures[@]}"; do
    title="${failure%%|*}"
    log="${failure#*|}"
    printf '\n== FAILED: %s (%s)\n' "$title" "$log"
    if [[ -f ${log%.log}.xml ]]; then failed_tests "${log%.log}.xml"; else tail -n 40 "$log"; fi
  done
}

clang_format_version=14

check_format() {
  local files
  # The starter tool derives starters from formatted solutions.
  mapfile -t files < <(find base gpu roofline harness grader cli python solutions docs tests bench \
    topics/04-llm-inference/engine -type f \
    \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' \) -not -path 'tests/course/topics/*')
  clang-format --dry-run --Werror "${files[@]}"
}

plan_preset() { # PRESET TARGET [CTEST_OPTION...]
  local options="-DROOFLINE_COMPILE_ONLY=OFF"
  [[ $2 != kernels ]] || options="-DROOFLINE_COMPILE_ONLY=ON -DROOFLINE_HOST_TREE=build/cpu"
  plan "configure $1" locked "$1" configure "$1" "$options"
  plan "build $1" locked "$1" cmake --build --preset "$1" --target "$2"
  plan "tests $1" run_ctest $((${#steps[@]} + 1)) "$1" "${@:3}"
}

# plan_gpu PRESET GPU; GPU is the name of the GPU, or empty. Without a GPU, only the output of the
# GPU's compiler differs from the cpu preset: the programs with kernels are compiled and linked.
plan_gpu() {
  if [[ -n $2 ]]; then plan_preset "$1" all; else plan_preset "$1" kernels --tests-regex '^gpu[.]'; fi
}

plan_everything() {
  plan_preset cpu all
  if [[ -n $(nvcc_path) ]]; then plan_gpu cuda "$(nvidia_gpu)"; else plan_skip cuda "nvcc was not found"; fi
  if command -v hipcc >/dev/null; then plan_gpu hip "$(amd_gpu)"; else plan_skip hip "hipcc was not found"; fi
  # The cpu preset's tests build the documentation site.
  command -v doxygen >/dev/null || plan_skip docs "doxygen is not installed"
}

run_course_tests() {
  local start=$SECONDS number=0 quick=no option broken=
  for option in "$@"; do
    case "$option" in
      --verbose) verbose=yes ;;
      --quick) quick=yes ;;
      "") ;;
      *) echo "./lab test takes --quick and --verbose, not $option" >&2 && return 2 ;;
    esac
  done
  require_installed core
  describe_machine
  rm -rf "$test_logs"
  mkdir -p "$test_logs"
  # Every version breaks some lines differently.
  if ! command -v clang-format >/dev/null; then
    plan_skip formatting "clang-format is not installed"
  elif [[ $(clang-format --version) != *"version $clang_format_version."* ]]; then
    plan_skip formatting "the files are as clang-format $clang_format_version leaves them; this is $(clang-format --version)"
  else
    plan formatting check_format
  fi
  if [[ $quick == yes ]]; then plan_preset cpu quick-tests -L quick; else plan_everything; fi
  for option in "${steps[@]}"; do
    number=$((number + 1))
    run_step "$number" "${option%%|*}" "${option#*|}"
  done
  printf '%-28s %9d s\n\n' "all" $((SECONDS - start))
  printf 'total: %d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  show_failures
  ((failed == 0))
}
