// SPDX-License-Identifier: MIT
// How much other work delayed a program, from invented counts and from a real busy thread.
#include "grader/timing/load.hpp"

#include <unistd.h>

#include <chrono>

#include "support/catch.hpp"

using grader::load_between;
using grader::ProcessorTimes;

namespace {

ProcessorTimes times(std::map<pid_t, grader::ThreadTimes> threads, double stolen = 0,
                     double total = 10) {
  return {std::move(threads), stolen, total};
}

}  // namespace

TEST_CASE("a program that was alone has no load", "[load]") {
  CHECK(load_between(times({}), times({}, 0, 12)) == 0);
  CHECK(load_between(times({{1, {5, 3}}, {2, {5, 0}}}), times({{1, {6, 3}}, {2, {6, 0}}}, 0, 12)) ==
        0);
}

TEST_CASE("the most delayed thread decides: the others wait for it", "[load]") {
  const auto before = times({{1, {5, 3}}, {2, {5, 0}}, {3, {0, 0}}});
  CHECK(load_between(before, times({{1, {5.5, 3.5}}, {2, {5.5, 0}}, {3, {0, 0}}}, 0, 12)) ==
        Approx(0.5));
  // A thread that wakes up rarely may wait as long as it works.
  CHECK(load_between(before, times({{1, {6, 3}}, {2, {6, 0}}, {3, {0.001, 0.002}}}, 0, 12)) < 0.01);
  // A new thread counts from its start.
  CHECK(load_between(times({}), times({{4, {0.75, 0.25}}}, 0, 12)) == Approx(0.25));
}

TEST_CASE("what the host of a virtual machine takes is load too", "[load]") {
  const auto before = times({{1, {5, 0}}}, 1, 10);
  CHECK(load_between(before, times({{1, {6, 0}}}, 1.5, 12)) == Approx(0.25));
}

TEST_CASE("the system's counts of this process", "[load]") {
  const ProcessorTimes before = grader::processor_times({::getpid()});
  if (before.threads.empty()) return;  // the system has no such counts
  const auto start = std::chrono::steady_clock::now();
  double ran = 0;
  while (ran <= 0 && std::chrono::steady_clock::now() - start < std::chrono::seconds(5)) {
    const ProcessorTimes after = grader::processor_times({::getpid()});
    ran = after.threads.at(::getpid()).running - before.threads.at(::getpid()).running;
    CHECK(after.threads.at(::getpid()).waiting >= before.threads.at(::getpid()).waiting);
    CHECK(after.total >= before.total);
  }
  CHECK(ran > 0);
}
