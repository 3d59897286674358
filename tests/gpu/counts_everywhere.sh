#!/bin/sh
# SPDX-License-Identifier: MIT
# Counts depend only on a kernel's source. Builds the counted reference kernels with every compiler
# and for every processor given, runs them, and compares each table with reference_counts.csv.
# Compilers that are not installed are skipped.
#   counts_everywhere.sh ROOT WORK "NEWEST OLDEST" COMPILER...
# NEWEST and OLDEST are processors, as for -march=. From the environment, set by CMakeLists.txt:
#   LAUNCHER            compiler cache, or nothing
#   EMULATOR            runs the programs, or nothing
#   BOOST_CONTEXT       the library
#   CHECK_OPTIONS, CHECK_OPTIONS_CLANG, CHECK_LINK   for checked kernels
set -eu
root=$1 work=$2 processors=$3
shift 3
expected="$root/tests/gpu/reference_counts.csv"
rm -rf "$work"
mkdir -p "$work"

for compiler; do
  shift
  if command -v "$compiler" > "$work/found"; then
    set -- "$@" "$compiler"
  else
    echo "left out: $compiler is not installed"
  fi
done
if [ "$#" = 0 ]; then
  echo "there is no compiler"
  exit 1
fi

# The runtime in one file, without the parts that need libraries that a cross compiler seldom has:
# source lines, for messages, and the arithmetic in machine code, for profiles.
runtime="$work/runtime.cpp"
for source in "$root"/gpu/src/error.cpp "$root"/gpu/cpu/src/*.cpp "$root"/gpu/cpu/check/*.cpp "$root"/gpu/cpu/check/requests/*.cpp \
  "$root"/gpu/virtual/src/[!j]*.cpp; do
  case $source in
    */arithmetic.cpp) ;;
    *) echo "#include \"$source\"" ;;
  esac
done > "$runtime"
cat >> "$runtime" <<'END'
#include "arithmetic.hpp"
#include "source/copies.hpp"
#include "source/source_lines.hpp"
#include "source/variables.hpp"
#include "vgpu/profile.hpp"
std::string vgpu::to_json(const Profile&) { return {}; }
std::string vgpu::to_json(const Geometry&) { return {}; }
const gpu::cpu::check::SourcePlace nowhere;
const gpu::cpu::check::SourcePlace& gpu::cpu::check::source_place(std::uintptr_t) { return nowhere; }
gpu::cpu::check::SourcePlace gpu::cpu::check::kernel_place(std::uintptr_t) { return {}; }
std::vector<gpu::cpu::check::LineArithmetic> gpu::cpu::check::arithmetic_of(Address) { return {}; }
bool gpu::cpu::check::only_computes(Address) { return false; }
std::string gpu::cpu::check::source_line(std::uintptr_t) { return "a kernel"; }
namespace gpu::cpu::check {
Address place_of_access(Address place, const void*) { return place; }
bool is_in_copy(Address) { return false; }
const std::pair<const Address, Variable>* Variables::holding(Address) const { return nullptr; }
const Variables none;
const Variables& static_variables() { return none; }
const Variables& shared_variables() { return none; }
std::string element_name(const Variable& variable, std::size_t) { return variable.name; }
}  // namespace gpu::cpu::check
END

# compile COMPILER OUTPUT OPTION...
compile() {
  compiler=$1 output=$2
  shift 2
  ${LAUNCHER:-} "$compiler" -std=c++20 -w -I"$root/gpu/cpu/check/include" -I"$root/gpu/include" \
    -I"$root/gpu/cpu/include" -I"$root/gpu/cpu/src" -I"$root/gpu/cpu/check" \
    -I"$root/gpu/virtual/include" -I"$root/base/include" \
    -I"$root/harness/include" -I"$root" "$@" -c -o "$output" || touch "$work/failed"
}

# Checked kernels are built without optimisation at every level, so the level is the runtime's: the
# lowest for the oldest processor, the highest for the newest.
tag() { basename "$1"; }
for compiler; do
  check=$CHECK_OPTIONS
  if "$compiler" --version | grep clang >/dev/null; then check="$check $CHECK_OPTIONS_CLANG"; fi
  level=-O3
  for processor in $processors; do
    name="$work/$(tag "$compiler")"
    # shellcheck disable=SC2086 # options are words
    compile "$compiler" "$name-kernels-$processor.o" $level "-march=$processor" $check \
      -x c++ "$root/tests/gpu/reference_counts.cu" &
    compile "$compiler" "$name-runtime$level.o" $level "-march=$processor" "$runtime"
    wait
    level=-O1
  done
done
if [ -e "$work/failed" ]; then exit 1; fi

# judge COMPILER PROCESSOR LEVEL runs the program of one row, and compares its table with the
# reference's.
judge() {
  what="$(tag "$1") -march=$2 $3"
  program="$work/$(tag "$1")-$2$3"
  # shellcheck disable=SC2086 # options are words
  "$1" "$work/$(tag "$1")-kernels-$2.o" "$work/$(tag "$1")-runtime$3.o" $CHECK_LINK "$BOOST_CONTEXT" \
    -pthread -o "$program"
  ${EMULATOR:-} "$program" > "$program.csv"
  if awk -F, '
      FNR == NR { line[FNR] = $0; lines = FNR; next }
      FNR == 1 { split(line[1], name, ",") }
      $0 != line[FNR] {
        split(line[FNR], should, ",")
        for (i = 1; i < NF && $i == should[i]; ++i) {}
        print $1 ", n = " $2 ": " name[i] " is " $i ", should be " should[i]
        bad = 1
        exit
      }
      END { if (!bad && FNR != lines) { print FNR " rows instead of " lines; bad = 1 } exit bad }
    ' "$expected" "$program.csv"; then
    echo "$what: the same counts"
  else
    echo "$what: differs from $expected"
    echo "  (where the reference itself was changed: cp $program.csv there)"
    return 1
  fi
}

for compiler; do
  for processor in $processors; do
    judge "$compiler" "$processor" -O1 > "$work/first" 2>&1 || touch "$work/failed" &
    judge "$compiler" "$processor" -O3 > "$work/second" 2>&1 || touch "$work/failed"
    wait
    cat "$work/first" "$work/second"
  done
done
[ ! -e "$work/failed" ]
