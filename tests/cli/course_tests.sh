#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ./lab test with stand-ins that only pretend to build and test: what it prints, what it counts, and how
# it ends. Usage: course_tests.sh PROJECT_ROOT
set -euo pipefail
root="${1:?usage: course_tests.sh PROJECT_ROOT}"
. "$(dirname "$0")/../support/shell.sh"
fail() { echo "FAILED: $*"; cat "$work/said"; exit 1; }

mkdir -p "$work/a course/gpu" "$work/bin"
cd "$work/a course"
mkdir roofline harness grader cli solutions docs tests bench
printf '#!/bin/sh\necho "[1/2] half"\necho "[2/2] done"\nexit ${BUILD_STATUS:-0}\n' >"$work/bin/cmake"
printf '#!/bin/sh\n[ "$1" = --version ] && echo "clang-format version ${FORMAT_VERSION:-14.0.6}"\nexit 0\n' \
  >"$work/bin/clang-format"
cat >"$work/bin/ctest" <<'STUB'
#!/bin/sh
while [ "$1" != --output-junit ]; do shift; done
cat >"$2" <<'XML'
	<testcase name="gpu.good" classname="gpu.good" time="0.1" status="run">
		<system-out>nobody wants to read this</system-out>
	</testcase>
	<testcase name="gpu.bad" classname="gpu.bad" time="0.1" status="fail">
		<failure message=""/>
		<system-out>first line
1 &lt; 2 &amp;&amp; wrong</system-out>
	</testcase>
	<testcase name="gpu.none" classname="gpu.none" time="0.1" status="notrun">
		<skipped message="SKIP"/>
	</testcase>
XML
echo "1/3 Test #1: gpu.good"
exit ${TEST_STATUS:-8}
STUB
chmod +x "$work"/bin/*
cat >front_door <<STUB
set -euo pipefail
lab_root="$work/a course"
source "$root/cli/packages.sh"
source "$root/cli/build.sh"
require_installed() { :; }
source "$root/cli/course_tests.sh"
run_course_tests "\$@"
STUB
run() { PATH="$work/bin:$PATH" bash front_door "$@" >"$work/said" 2>&1; }
says() { grep -qE -e "$1" "$work/said" || fail "it does not say: $1"; }

run --quick && fail "a failed test ends with 0"
says "^$(getconf _NPROCESSORS_ONLN) x .*$(uname -m).* [0-9]+(\.[0-9]+)+$"
says '^\[1/4\] formatting +ok +[0-9]+ s$'
says '^\[4/4\] tests cpu +FAILED +[0-9]+ s 3 tests$'
says '^total: 1 passed, 1 failed, 1 skipped$'
[[ $(sed -n '/^total/,$p' "$work/said") == *"---- gpu.bad"*"first line"*"1 < 2 && wrong"* ]] ||
  fail "the failure does not come last"
if grep -q -e "nobody wants" -e "half" "$work/said"; then fail "it is not silent about what passed"; fi

FORMAT_VERSION=19.1.7 run --quick && fail "a failed test ends with 0"
says '^\[1/4\] formatting +skipped: .* clang-format 14 .* 19\.1\.7$'

run --quick --verbose && fail "a failed test ends with 0"
says '^\[2/2\] done$'

BUILD_STATUS=1 run --quick && fail "a failed build ends with 0"
says '^\[2/4\] configure cpu +FAILED'
says '^\[4/4\] tests cpu +not run$'
says '^total: 0 passed, 1 failed, 0 skipped$'

sed -i '/gpu.bad/s/fail/run/' "$work/bin/ctest"
TEST_STATUS=0 run --quick || fail "all passed, and it ends with $?"
says '^total: 2 passed, 0 failed, 1 skipped$'
[[ $(tail -n 1 "$work/said") == total:* ]] || fail "something follows the total"

run --quik && fail "an unknown option is taken"
says '\-\-quick and --verbose, not --quik'
echo "the steps of ./lab test are shown, counted and ended as they should be"
