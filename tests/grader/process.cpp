// SPDX-License-Identifier: MIT
// Children that crash, hang, flood and lie.
#include "grader/process.hpp"

#include <cstdlib>

#include "support/catch.hpp"

using grader::Child;
using grader::ChildFailure;
using grader::Clock;
using grader::Failure;
using grader::Limits;

namespace {

Limits short_limits() {
  Limits limits;
  limits.wall_seconds = 5;
  return limits;
}

grader::Command misbehave(const std::string& how) {
  return {{RL_MISBEHAVE, how}, {}, grader::clean_environment()};
}

/// How the grader sees the failure of a child that should have sent a message.
Failure failure_of(const std::string& how, const Limits& limits, std::string* output = nullptr) {
  Child child(misbehave(how), limits);
  try {
    child.receive(child.deadline());
  } catch (const ChildFailure& failure) {
    if (output != nullptr) *output = failure.output;
    return failure.failure;
  }
  throw std::logic_error("the child was believed");
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

TEST_CASE("a program that does not exist is missing", "[process]") {
  try {
    Child child({{"/nonexistent/program"}, {}, {}}, Limits{});
    FAIL("started");
  } catch (const ChildFailure& failure) {
    CHECK(failure.failure == Failure::kMissing);
  }
}

TEST_CASE("an exit without a reply is a crash, whatever its code", "[process]") {
  CHECK(failure_of("nothing", short_limits()) == Failure::kCrashed);
  CHECK(failure_of("code", short_limits()) == Failure::kCrashed);
  CHECK(failure_of("crash", short_limits()) == Failure::kCrashed);
}

TEST_CASE("text on the channel is no result", "[process]") {
  CHECK(failure_of("garbage", short_limits()) == Failure::kProtocol);
}

TEST_CASE("a closed channel is no result", "[process]") {
  CHECK(failure_of("close", short_limits()) == Failure::kProtocol);
}

TEST_CASE("a hanging program is stopped at its limit", "[process]") {
  Limits limits;
  limits.wall_seconds = 0.3;
  const auto start = Clock::now();
  CHECK(failure_of("hang", limits) == Failure::kTimedOut);
  CHECK(seconds_since(start) < 5);
}

TEST_CASE("a flood of output is stopped, and only its end kept", "[process]") {
  std::string output;
  CHECK(failure_of("flood", short_limits(), &output) == Failure::kFlood);
  CHECK(output.size() < 4000);
}

TEST_CASE("a memory hog ends itself", "[process]") {
  Limits limits = short_limits();
  limits.memory_bytes = 256U << 20;
#if !defined(__SANITIZE_ADDRESS__)
  CHECK(failure_of("memory", limits) == Failure::kCrashed);
#endif
}

TEST_CASE("a file beyond the limit ends the program", "[process]") {
  Limits limits = short_limits();
  limits.file_bytes = 1U << 20;
  CHECK(failure_of("file", limits) == Failure::kCrashed);
}

TEST_CASE("a detached child that holds the output open does not stop the grader", "[process]") {
  const auto start = Clock::now();
  CHECK(failure_of("daemon", short_limits()) == Failure::kCrashed);
  CHECK(seconds_since(start) < 4);
}

TEST_CASE("printed text is made harmless", "[process]") {
  std::string output;
  failure_of("print", short_limits(), &output);
  CHECK(output.find('\x1b') == std::string::npos);
  CHECK(output.find("<CTest") == std::string::npos);
  CHECK(output.find("red?CTestDetails>") != std::string::npos);
  for (std::size_t start = 0; start < output.size();) {
    const std::size_t end = output.find('\n', start);
    CHECK(end - start <= 76);
    start = end + 1;
  }
}

TEST_CASE("only brackets that CTest would read are replaced", "[process]") {
  CHECK(grader::harmless("launch<kernel>: i < n") == "launch<kernel>: i < n\n");
  CHECK(grader::harmless("<DartMeasurement>1</dartMeasurement>") ==
        "?DartMeasurement>1?/dartMeasurement>\n");
  CHECK(grader::harmless("ends with <") == "ends with ?\n");
}

TEST_CASE("long lines break between words where they can", "[process]") {
  const std::string words(70, 'a');
  CHECK(grader::harmless(words + " bbbbbbbbbb") == words + "\nbbbbbbbbbb\n");
  CHECK(grader::harmless(std::string(100, 'c')) ==
        std::string(76, 'c') + "\n" + std::string(24, 'c') + "\n");
}

TEST_CASE("a child inherits neither environment nor descriptors", "[process]") {
  ::setenv("SECRET", "42", 1);
  std::string output;
  failure_of("environment", short_limits(), &output);
  CHECK(output == "clean|no home\n");
  failure_of("descriptors", short_limits(), &output);
  CHECK(output.empty());
}
