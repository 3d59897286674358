// SPDX-License-Identifier: MIT
// Reads and cross-checks recorded measurements.
#include "grader/timing/record.hpp"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "grader/program/process.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t kLargestFile = 1U << 20;
/// Programs print rates with all digits, so a larger difference means that the record was edited.
constexpr double kConsistency = 1e-3;

bool agree(double a, double b) {
  return std::fabs(a - b) <= kConsistency * std::fabs(b);
}

nlohmann::json read_json(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error) throw std::runtime_error("there is no recorded measurement yet");
  if (size > kLargestFile) throw std::runtime_error("the recorded measurement is too large");
  std::ifstream in(file);
  nlohmann::json json = nlohmann::json::parse(in, nullptr, false);
  if (json.is_discarded()) throw std::runtime_error("the recorded measurement is not JSON");
  return json;
}

void check_consistency(const Record& record) {
  const double values[] = {record.seconds, record.bytes_moved, record.bytes_per_second};
  for (const double value : values) {
    if (!std::isfinite(value) || value <= 0) {
      throw std::runtime_error("the recorded measurement has a time or rate that is not positive");
    }
  }
  if (!agree(record.bytes_per_second, record.bytes_moved / record.seconds) ||
      !agree(record.flops_per_second * record.seconds + 1, record.flops + 1)) {
    throw std::runtime_error(
        "the recorded measurement contradicts itself: its rates are not its work divided by its "
        "time");
  }
}

}  // namespace

Record read_record(const std::filesystem::path& file) {
  const nlohmann::json json = read_json(file);
  Record record;
  try {
    if (json.at("format") != "roofline-labs/measurement") {
      throw std::runtime_error("the recorded file is not a measurement of a lab program");
    }
    record.program = json.at("program").get<std::string>();
    record.backend = json.at("backend").get<std::string>();
    record.device = json.at("device").get<std::string>();
    record.commit = json.at("commit").get<std::string>();
    record.time = json.at("time").get<std::string>();
    record.n = json.at("n").get<std::int64_t>();
    record.bytes_moved = json.at("bytes_moved").get<double>();
    record.flops = json.at("flops").get<double>();
    record.seconds = json.at("seconds").at("median").get<double>();
    record.bytes_per_second = json.at("gb_per_s").get<double>() * 1e9;
    record.flops_per_second = json.at("gflop_per_s").get<double>() * 1e9;
  } catch (const nlohmann::json::exception&) {
    throw std::runtime_error(
        "the recorded measurement lacks a key, or has one of the wrong type; record it again");
  }
  check_consistency(record);
  return record;
}

std::string contradiction(const Record& record, const RecordTerms& terms) {
  if (record.program != terms.program) return "it was recorded by another program";
  if (record.backend != terms.backend) {
    return "it was recorded with the " + sanitize_line(record.backend) +
           " build, and this is the " + terms.backend + " build";
  }
  if (record.device != terms.device) return "it was recorded on another device";
  // A program chooses a larger n itself if the caches are large. A far larger one would need more
  // memory than an exercise may use.
  constexpr std::int64_t kMostTimes = 4;
  const std::int64_t most = kMostTimes * terms.least_n;
  if (record.n >= terms.least_n && record.n <= most) return {};
  return "it was recorded with n = " + std::to_string(record.n) + ", and needs " +
         (record.n > most ? "at most n = " + std::to_string(most) + " (to be measured again)"
                          : "at least n = " + std::to_string(terms.least_n) +
                                " (else caches answer instead of memory)");
}

std::string other_work(const Record& record, double flops, double bytes_moved) {
  constexpr double kSame = 1e-6;
  const auto same = [](double a, double b) { return std::fabs(a - b) <= kSame * std::fabs(b); };
  if (same(record.flops, flops) && same(record.bytes_moved, bytes_moved)) return {};
  char text[200];
  std::snprintf(text, sizeof text,
                "the record has %.6g FLOPs and %.6g bytes for n = %lld; the task has %.6g and %.6g",
                record.flops, record.bytes_moved, static_cast<long long>(record.n), flops,
                bytes_moved);
  return text;
}

}  // namespace grader
