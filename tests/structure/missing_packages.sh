#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What CMake says when packages are missing: missing_packages.sh PROJECT_ROOT.
# A required one stops the configuration with the command that installs it. Without all optional ones,
# everything else can still be built.
set -euo pipefail
. "$(dirname "$0")/../support/shell.sh"
root="$1"

# configure_without CODE PACKAGE...: CMake's names for the packages, and the expected exit code
configure_without() {
  local code="$1" options=() package
  shift
  for package in "$@"; do options+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"); done
  expect "$code" cmake -G Ninja -S "$root" -B "$work/build-$code" "${options[@]}"
  cat "$work/out.txt" "$work/err.txt" >"$work/log"
}

configure_without 1 fmt SQLite3
grep -q 'sudo apt-get install libfmt-dev libsqlite3-dev$' "$work/log" ||
  fail "no command that installs both: $(cat "$work/log")"

configure_without 0 Python OpenMP benchmark BLAS Doxygen
for package in python3-dev libomp-dev libbenchmark-dev libopenblas-dev doxygen; do
  grep -q "Optional and missing: $package.* (.\+)" "$work/log" ||
    fail "$package is not reported: $(cat "$work/log")"
done
expect 0 ninja -C "$work/build-0" -n bin/grader bin/lab bin/roofline
expect 0 ninja -C "$work/build-0" -n all
