// SPDX-License-Identifier: MIT
// Reads and cross-checks recorded measurements.
#include "grader/record.hpp"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace grader {
namespace {

constexpr std::uintmax_t kLargestFile = 1U << 20;
/// Programs print rates with all digits; a difference beyond this was typed in.
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
  if (json.is_discarded()) throw std::runtime_error("the recorded measurement is no JSON");
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
      throw std::runtime_error("the recorded file is no measurement of a lab program");
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

}  // namespace grader
