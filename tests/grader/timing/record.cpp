// SPDX-License-Identifier: MIT
// Recorded measurements: honest ones are read, edited ones are refused.
#include "grader/timing/record.hpp"

#include <fstream>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

const std::string kRecord = R"({
  "format": "roofline-labs/measurement", "version": 1, "program": "saxpy", "backend": "cpu",
  "device": "D", "compiler": "g++", "commit": "abc", "time": "2026-01-01T00:00:00Z",
  "n": 1000, "repeats": 20, "bytes_moved": 12000, "flops": 2000,
  "seconds": {"median": 0.001, "minimum": 0.0009, "maximum": 0.002},
  "gb_per_s": 0.012, "gflop_per_s": 0.002, "flop_per_byte": 0.1666})";

std::string refusal(const std::string& content) {
  const fs::path file = support::scratch_folder() / "record.json";
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
  CHECK(edited("roofline-labs/measurement", "notes").find("not a measurement") !=
        std::string::npos);
  CHECK(edited("\"device\": \"D\",", "").find("lacks a key") != std::string::npos);
  CHECK(refusal("{\"format\":").find("not JSON") != std::string::npos);
  CHECK(refusal(std::string(2 << 20, ' ')).find("too large") != std::string::npos);
}

TEST_CASE("a record is of this program, device and size, or worth nothing", "[record]") {
  const grader::RecordTerms terms{"saxpy", "cpu", "D", 1000};
  grader::Record record;
  record.program = "saxpy";
  record.backend = "cpu";
  record.device = "D";
  record.n = 1000;
  CHECK(contradiction(record, terms).empty());
  const auto with = [&](auto change) {
    grader::Record other = record;
    change(other);
    return contradiction(other, terms);
  };
  using Catch::Contains;
  CHECK_THAT(with([](auto& r) { r.program = "triad"; }), Contains("another program"));
  CHECK_THAT(with([](auto& r) { r.backend = "cuda"; }), Contains("cuda build"));
  CHECK_THAT(with([](auto& r) { r.device = "Imaginary 9000"; }), Contains("another device"));
  CHECK_THAT(with([](auto& r) { r.n = 999; }), Contains("at least n = 1000"));
  CHECK_THAT(with([](auto& r) { r.n = std::int64_t{1} << 62; }), Contains("at most n = 4000"));
  CHECK(with([](auto& r) { r.n = 4000; }).empty());
}

TEST_CASE("a record counts the FLOPs and bytes that the task has", "[record]") {
  grader::Record record;
  record.n = 1000;
  record.flops = 2000;
  record.bytes_moved = 12000;
  CHECK(other_work(record, 2000, 12000).empty());
  CHECK_THAT(other_work(record, 2000, 8000), Catch::Contains("the task has 2000 and 8000"));
  // A consistent ratio is not enough: twice the work and twice the traffic is other work.
  CHECK_FALSE(other_work(record, 1000, 6000).empty());
}
