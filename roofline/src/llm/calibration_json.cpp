// SPDX-License-Identifier: MIT
// Calibrations as JSON.
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "roofline/checks.hpp"
#include "roofline/llm/calibration.hpp"

namespace roofline::llm {
namespace {

constexpr const char* kSchema = "roofline.calibration";
constexpr int kVersion = 1;

nlohmann::json to_json(const Calibration& calibration) {
  nlohmann::json value = {
      {"group", calibration.group},
      {"weight_efficiency", calibration.efficiencies.weights},
      {"kv_efficiency", calibration.efficiencies.kv},
      {"compute_efficiency", calibration.efficiencies.compute},
      {"per_layer_seconds", calibration.per_layer_seconds},
      {"remarks", calibration.remarks},
  };
  if (calibration.all_reduce) {
    value["all_reduce"] = {{"latency_seconds", calibration.all_reduce->latency_seconds},
                           {"bytes_per_second", calibration.all_reduce->bytes_per_second}};
  }
  return value;
}

double number(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) throw std::invalid_argument(std::string(key) + " is missing");
  if (!found->is_number()) throw std::invalid_argument(std::string(key) + " must be a number");
  return found->get<double>();
}

Calibration from_json(const nlohmann::json& value) {
  Calibration calibration;
  calibration.group = value.value("group", std::string());
  calibration.efficiencies = {
      require_fraction(number(value, "weight_efficiency"), "weight_efficiency"),
      require_fraction(number(value, "kv_efficiency"), "kv_efficiency"),
      require_fraction(number(value, "compute_efficiency"), "compute_efficiency")};
  calibration.per_layer_seconds =
      require_not_negative(number(value, "per_layer_seconds"), "per_layer_seconds");
  if (value.contains("all_reduce")) {
    const nlohmann::json& collective = value.at("all_reduce");
    calibration.all_reduce =
        AllReduce{require_not_negative(number(collective, "latency_seconds"), "latency_seconds"),
                  require_positive(number(collective, "bytes_per_second"), "bytes_per_second")};
  }
  return calibration;
}

std::string group_list(const std::vector<Calibration>& calibrations) {
  std::string text;
  for (const Calibration& calibration : calibrations) {
    text += (text.empty() ? "'" : ", '") + calibration.group + "'";
  }
  return text;
}

}  // namespace

std::string calibrations_json(const std::vector<Calibration>& calibrations) {
  nlohmann::json value = {{"schema", kSchema}, {"version", kVersion}};
  value["calibrations"] = nlohmann::json::array();
  for (const Calibration& calibration : calibrations) {
    value["calibrations"].push_back(to_json(calibration));
  }
  return value.dump(2) + "\n";
}

std::vector<Calibration> read_calibrations(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot open the calibration " + file.string());
  try {
    const nlohmann::json value = nlohmann::json::parse(stream);
    if (!value.is_object() || value.value("schema", std::string()) != kSchema ||
        value.value("version", 0) != kVersion) {
      throw std::invalid_argument(
          "not a calibration of version 1; write one with: roofline predict --fit ROWS.csv --json "
          "FILE");
    }
    std::vector<Calibration> calibrations;
    for (const nlohmann::json& entry : value.at("calibrations")) {
      calibrations.push_back(from_json(entry));
    }
    return calibrations;
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(file.string() + ": " + error.what());
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(file.string() + ": " + error.what());
  }
}

Calibration read_calibration(const std::filesystem::path& file, const std::string& group) {
  const std::vector<Calibration> calibrations = read_calibrations(file);
  if (group.empty() && calibrations.size() == 1) return calibrations.front();
  for (const Calibration& calibration : calibrations) {
    if (!group.empty() && calibration.group == group) return calibration;
  }
  throw std::runtime_error(file.string() + ": " +
                           (group.empty() ? "several groups; name one with --group: "
                                          : "no group '" + group + "'; there are: ") +
                           group_list(calibrations));
}

}  // namespace roofline::llm
