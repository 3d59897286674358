// SPDX-License-Identifier: MIT
// Children that crash, hang, flood and lie.
#include "grader/program/process.hpp"

#include <cstdlib>
#include <stop_token>
#include <thread>
#include <vector>

#include "grader/program/program.hpp"
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

/// The failure that the grader sees for a child that should have sent a message.
Failure failure_of(const std::string& how, const Limits& limits, std::string* output = nullptr,
                   std::string* words = nullptr) {
  Child child(misbehave(how), limits);
  try {
    child.receive();
  } catch (const ChildFailure& failure) {
    if (output != nullptr) *output = failure.output;
    if (words != nullptr) *words = failure.what();
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

namespace {

/// Twice as many busy threads as there are cores, until they are destroyed.
std::vector<std::jthread> busy_machine() {
  std::vector<std::jthread> others;
  for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); ++i) {
    others.emplace_back([](const std::stop_token& end) {
      while (!end.stop_requested()) {
      }
    });
  }
  return others;
}

/// Whether the child had to wait longer than it may take itself. It need not where the operating
/// system divides the cores between sessions: it then gets one at once.
void warn_if_it_did_not_wait(Clock::time_point start, const Limits& limits) {
  if (seconds_since(start) <= limits.wall_seconds) WARN("it did not have to wait for a core");
}

/// More than a socket's buffer holds.
harness::Value long_request() {
  return harness::Value::list("x", std::string(8'000'000, 'x'));
}

}  // namespace

TEST_CASE("time in which other programs had the cores does not count", "[process]") {
  const std::vector<std::jthread> others = busy_machine();
  Limits limits;
  limits.wall_seconds = 0.8;
  Child child(misbehave("compute"), limits);  // half a second of work, at a third of speed or less
  const auto start = Clock::now();
  CHECK(child.wait() == 0);
  warn_if_it_did_not_wait(start, limits);
}

TEST_CASE("nor does it while a request waits to be taken", "[process]") {
  const std::vector<std::jthread> others = busy_machine();
  Limits limits;
  limits.wall_seconds = 0.8;
  Child child(misbehave("late"), limits);
  const auto start = Clock::now();
  CHECK_NOTHROW(child.send(long_request()));
  warn_if_it_did_not_wait(start, limits);
}

TEST_CASE("time in which nothing is asked of it does not count", "[process]") {
  Limits limits;
  limits.wall_seconds = 0.5;
  Child child(misbehave("answer"), limits);
  const harness::Value request = harness::Value::list("x", std::int64_t{1});
  for (int i = 0; i < 3; ++i) {
    child.send(request);
    CHECK_NOTHROW(child.receive());
    // In the meantime the grader makes the next problem and judges other programs.
    std::this_thread::sleep_for(std::chrono::duration<double>(limits.wall_seconds));
  }
  CHECK(child.seconds_used() < limits.wall_seconds);
}

TEST_CASE("a program that takes no request is stopped at its limit", "[process]") {
  Limits limits;
  limits.wall_seconds = 0.3;
  Child child(misbehave("hang"), limits);
  const auto start = Clock::now();
  try {
    child.send(long_request());
    FAIL("taken");
  } catch (const ChildFailure& failure) {
    CHECK(failure.failure == Failure::kTimedOut);
  }
  CHECK(seconds_since(start) < 5);
}

TEST_CASE("an exit without a reply is a crash, whatever its code", "[process]") {
  CHECK(failure_of("nothing", short_limits()) == Failure::kCrashed);
  CHECK(failure_of("code", short_limits()) == Failure::kCrashed);
  std::string words;
  CHECK(failure_of("crash", short_limits(), nullptr, &words) == Failure::kCrashed);
  CHECK(words.find("memory that is not its own") != std::string::npos);
}

TEST_CASE("a reply with a text that is far too long is not stored", "[process]") {
  grader::Program program(misbehave("text"), short_limits());
  try {
    program.hello();
    FAIL("stored");
  } catch (const ChildFailure& failure) {
    CHECK(failure.failure == Failure::kProtocol);
    CHECK(std::string(failure.what()).find("a text of 40000000 bytes") != std::string::npos);
  }
}

TEST_CASE("text on the channel is not a result", "[process]") {
  CHECK(failure_of("garbage", short_limits()) == Failure::kProtocol);
}

TEST_CASE("a closed channel is not a result", "[process]") {
  CHECK(failure_of("close", short_limits()) == Failure::kProtocol);
}

TEST_CASE("a hanging program is stopped at its limit", "[process]") {
  Limits limits;
  limits.wall_seconds = 0.3;
  const auto start = Clock::now();
  std::string words;
  CHECK(failure_of("hang", limits, nullptr, &words) == Failure::kTimedOut);
  CHECK(words == "it did not end within 0.3 s (its limit); an endless loop looks like this");
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

TEST_CASE("printed text is sanitized", "[process]") {
  std::string output;
  failure_of("print", short_limits(), &output);
  CHECK(output.find('\x1b') == std::string::npos);
  CHECK(output.find("<CTest") == std::string::npos);
  CHECK(output.find("red?CTestDetails>") == 0);
}

TEST_CASE("a child inherits neither environment nor descriptors", "[process]") {
  ::setenv("SECRET", "42", 1);
  std::string output;
  failure_of("environment", short_limits(), &output);
  CHECK(output == "clean|no home\n");
  failure_of("descriptors", short_limits(), &output);
  CHECK(output.empty());
}
