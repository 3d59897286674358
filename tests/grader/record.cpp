// SPDX-License-Identifier: MIT
// Recorded measurements: honest ones are read, edited ones are refused.
#include "grader/record.hpp"

#include <unistd.h>

#include <fstream>

#include "support/catch.hpp"

namespace fs = std::filesystem;

namespace {

const std::string kRecord = R"({
  "format": "roofline-labs/measurement", "version": 1, "program": "saxpy", "backend": "cpu",
  "device": "D", "compiler": "g++", "commit": "abc", "time": "2026-01-01T00:00:00Z",
  "n": 1000, "repeats": 20, "bytes_moved": 12000, "flops": 2000,
  "seconds": {"median": 0.001, "minimum": 0.0009, "maximum": 0.002},
  "gb_per_s": 0.012, "gflop_per_s": 0.002, "flop_per_byte": 0.1666})";

std::string refusal(const std::string& content) {
  const fs::path file =
      fs::temp_directory_path() / ("grader-record-test-" + std::to_string(::getpid()));
  std::ofstream(file) << content;
  std::string result;
  try {
    grader::read_record(file);
  } catch (const std::runtime_error& error) {
    result = error.what();
  }
  fs::remove(file);
  return result;
}

std::string edited(const std::string& from, const std::string& to) {
  std::string text = kRecord;
  return refusal(text.replace(text.find(from), from.size(), to));
}

}  // namespace

TEST_CASE("an honest record is read", "[record]") {
  CHECK(refusal(kRecord).empty());
}

TEST_CASE("edited records are refused", "[record]") {
  CHECK(edited("\"gb_per_s\": 0.012", "\"gb_per_s\": 0.02").find("contradicts") !=
        std::string::npos);
  CHECK(edited("\"median\": 0.001", "\"median\": 0").find("positive") != std::string::npos);
  CHECK(edited("\"median\": 0.001", "\"median\": 0.0005").find("contradicts") != std::string::npos);
  CHECK(edited("\"median\": 0.001", "\"median\": \"fast\"").find("wrong type") !=
        std::string::npos);
  CHECK(edited("roofline-labs/measurement", "notes").find("no measurement") != std::string::npos);
  CHECK(edited("\"device\": \"D\",", "").find("lacks a key") != std::string::npos);
  CHECK(refusal("{\"format\":").find("no JSON") != std::string::npos);
  CHECK(refusal(std::string(2 << 20, ' ')).find("too large") != std::string::npos);
}
