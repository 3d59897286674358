// SPDX-License-Identifier: MIT
// The JSON form of a measurement report.
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/files.hpp"
#include "roofline/checks.hpp"
#include "roofline/measurement.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchemaName = "roofline.measurement";

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json spread_to_json(const Spread& spread) {
  return {{"median", spread.median},
          {"percentile_5", spread.percentile_5},
          {"percentile_95", spread.percentile_95},
          {"samples", spread.samples}};
}

Json roof_to_json(const MeasuredRoof& roof) {
  Json json = {{"name", roof.name}, {"kind", to_string(roof.kind)}};
  if (!roof.level.empty()) json["level"] = roof.level;
  if (roof.precision) json["precision"] = std::string(to_string(*roof.precision));
  if (roof.unit) json["unit"] = to_string(*roof.unit);
  json.update(spread_to_json(roof.rate));
  if (roof.sustained) {
    json["sustained"] = *roof.sustained;
    json["sustained_configuration"] = roof.sustained_configuration;
  }
  json["working_set_bytes"] = roof.working_set_bytes;
  json["datasheet"] = number_or_null(roof.datasheet);
  json["limit"] = number_or_null(roof.limit);
  json["configuration"] = roof.configuration;
  json["refused"] = roof.refused.empty() ? Json(nullptr) : Json(roof.refused);
  json["note"] = roof.note;
  if (roof.power) {
    json["power"] = {{"watts", roof.power->watts},
                     {"joules_per_unit", roof.power->joules_per_unit},
                     {"share_of_roof", metered_share(roof)},
                     {"clock_hz", number_or_null(roof.power->clock_hz)},
                     {"held_back_by", roof.power->held_back_by}};
  }
  return json;
}

Json in_flight_to_json(const std::vector<ConcurrencyPoint>& points) {
  Json json = Json::array();
  for (const ConcurrencyPoint& point : points) {
    json.push_back(
        {{"bytes_per_unit", point.bytes_per_unit}, {"bytes_per_second", point.bytes_per_second}});
  }
  return json;
}

Json products_to_json(const std::vector<MeasuredProduct>& products) {
  Json json = Json::array();
  for (const MeasuredProduct& product : products) {
    Json one = spread_to_json(product.rate);
    one["name"] = product.name;
    one["precision"] = std::string(to_string(product.precision));
    one["rows"] = product.rows;
    one["columns"] = product.columns;
    one["depth"] = product.depth;
    one["refused"] = product.refused.empty() ? Json(nullptr) : Json(product.refused);
    json.push_back(std::move(one));
  }
  return json;
}

Json energy_to_json(const MeasuredEnergy& energy) {
  Json json = {{"meter", energy.meter}, {"idle_watts", energy.idle_watts}};
  json["sweep"] = Json::array();
  for (const EnergyPoint& point : energy.sweep) {
    json["sweep"].push_back({{"flops_per_second", point.flops_per_second},
                             {"bytes_per_second", point.bytes_per_second},
                             {"watts", point.watts}});
  }
  if (energy.fit) {
    json["prices"] = {{"joules_per_flop", energy.fit->costs.joules_per_flop},
                      {"joules_per_byte", energy.fit->costs.joules_per_byte},
                      {"static_watts", energy.fit->costs.idle_watts},
                      {"worst_relative_error", energy.fit->worst_relative_error}};
  }
  return json;
}

std::optional<double> optional_number(const Json& json, const char* key) {
  if (!json.contains(key) || json.at(key).is_null()) return std::nullopt;
  return require_not_negative(json.at(key).get<double>(), key);
}

std::string optional_text(const Json& json, const char* key) {
  if (!json.contains(key) || json.at(key).is_null()) return {};
  return json.at(key).get<std::string>();
}

double positive(const Json& json, const char* key) {
  return require_positive(json.at(key).get<double>(), key);
}

Spread spread_from_json(const Json& json) {
  return {positive(json, "median"), positive(json, "percentile_5"), positive(json, "percentile_95"),
          json.at("samples").get<int>()};
}

MeasuredProduct product_from_json(const Json& json) {
  const auto size = [&](const char* key) {
    const int value = json.at(key).get<int>();
    if (value <= 0)
      throw std::invalid_argument(std::string(key) + " of a product must be positive");
    return value;
  };
  return {json.at("name").get<std::string>(),
          parse_precision(json.at("precision").get<std::string>()),
          size("rows"),
          size("columns"),
          size("depth"),
          spread_from_json(json),
          optional_text(json, "refused")};
}

RoofPower power_from_json(const Json& json) {
  return {positive(json, "watts"), positive(json, "joules_per_unit"),
          optional_number(json, "clock_hz"), optional_text(json, "held_back_by")};
}

MeasuredEnergy energy_from_json(const Json& json) {
  MeasuredEnergy energy;
  energy.meter = optional_text(json, "meter");
  energy.idle_watts = positive(json, "idle_watts");
  for (const Json& point : json.at("sweep")) {
    energy.sweep.push_back({positive(point, "flops_per_second"),
                            positive(point, "bytes_per_second"), positive(point, "watts")});
  }
  if (json.contains("prices")) {
    const Json& prices = json.at("prices");
    energy.fit = EnergyFit{{positive(prices, "joules_per_flop"),
                            positive(prices, "joules_per_byte"), positive(prices, "static_watts")},
                           require_not_negative(prices.at("worst_relative_error").get<double>(),
                                                "worst_relative_error")};
  }
  return energy;
}

RoofKind parse_kind(const std::string& name) {
  for (const RoofKind kind :
       {RoofKind::kBandwidth, RoofKind::kCompute, RoofKind::kLatency, RoofKind::kOperationRate}) {
    if (name == to_string(kind)) return kind;
  }
  throw std::invalid_argument("unknown kind of roof '" + name + "'");
}

MeasuredRoof roof_from_json(const Json& json) {
  MeasuredRoof roof;
  roof.name = json.at("name").get<std::string>();
  roof.kind = parse_kind(json.at("kind").get<std::string>());
  roof.level = optional_text(json, "level");
  if (json.contains("precision")) {
    roof.precision = parse_precision(json.at("precision").get<std::string>());
  }
  if (json.contains("unit")) roof.unit = parse_unit_name(json.at("unit").get<std::string>());
  if (roof.kind == RoofKind::kCompute && (!roof.precision || !roof.unit)) {
    throw std::invalid_argument("a compute roof needs precision and unit");
  }
  if (roof.kind == RoofKind::kBandwidth && roof.level.empty()) {
    throw std::invalid_argument("a bandwidth needs a level");
  }
  roof.rate = spread_from_json(json);
  if (json.contains("sustained")) {
    roof.sustained = positive(json, "sustained");
    roof.sustained_configuration = optional_text(json, "sustained_configuration");
  }
  roof.working_set_bytes = optional_number(json, "working_set_bytes").value_or(0);
  roof.datasheet = optional_number(json, "datasheet");
  roof.limit = optional_number(json, "limit");
  roof.configuration = optional_text(json, "configuration");
  roof.refused = optional_text(json, "refused");
  roof.note = optional_text(json, "note");
  if (json.contains("power")) roof.power = power_from_json(json.at("power"));
  return roof;
}

DeviceInfo device_from_json(const Json& json) {
  DeviceInfo device;
  device.backend = json.at("backend").get<std::string>();
  device.name = json.at("name").get<std::string>();
  device.architecture = optional_text(json, "architecture");
  device.units = json.at("units").get<int>();
  device.clock_hz = optional_number(json, "clock_hz");
  device.memory_bytes = optional_number(json, "memory_bytes");
  device.last_level_cache_bytes = optional_number(json, "last_level_cache_bytes");
  device.driver = optional_text(json, "driver");
  device.datasheet = optional_text(json, "datasheet");
  return device;
}

void check_schema(const Json& json) {
  if (!json.is_object() || optional_text(json, "schema") != kSchemaName) {
    throw std::invalid_argument("this is not a file that `roofline measure` wrote");
  }
  const int version = json.at("version").get<int>();
  if (version != kReportVersion) {
    throw std::invalid_argument("this is version " + std::to_string(version) +
                                " of the format, and this program reads version " +
                                std::to_string(kReportVersion) + "; measure again");
  }
}

Report report_from_json(const Json& json) {
  check_schema(json);
  Report report;
  report.device = device_from_json(json.at("device"));
  const Json& build = json.at("build");
  report.build = {optional_text(build, "compiler"), optional_text(build, "flags"),
                  optional_text(build, "commit")};
  report.started = optional_text(json, "started");
  report.command = optional_text(json, "command");
  report.operands = optional_text(json, "operands");
  report.complete = json.at("complete").get<bool>();
  if (json.contains("problems")) {
    report.problems = json.at("problems").get<std::vector<std::string>>();
  }
  for (const Json& point : json.value("in_flight", Json::array())) {
    report.in_flight.push_back(
        {positive(point, "bytes_per_unit"), positive(point, "bytes_per_second")});
  }
  for (const Json& product : json.value("products", Json::array())) {
    report.products.push_back(product_from_json(product));
  }
  if (json.contains("energy")) report.energy = energy_from_json(json.at("energy"));
  report.no_energy = optional_text(json, "no_energy");
  std::size_t index = 0;
  for (const Json& roof : json.at("roofs")) {
    try {
      report.roofs.push_back(roof_from_json(roof));
    } catch (const std::exception& error) {
      throw std::invalid_argument("roofs[" + std::to_string(index) + "]: " + error.what());
    }
    ++index;
  }
  return report;
}

std::string place_of(const std::string& text, std::size_t byte) {
  std::size_t line = 1;
  std::size_t column = 1;
  for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    column = text[i] == '\n' ? 1 : column + 1;
    line += text[i] == '\n';
  }
  return std::to_string(line) + ":" + std::to_string(column);
}

// "roofs[0]: [json.exception.type_error.302] type must be number, ..." without the library's name.
std::string without_library(std::string message) {
  const auto begin = message.find("[json.exception.");
  const auto end = message.find("] ", begin);
  if (begin != std::string::npos && end != std::string::npos) message.erase(begin, end + 2 - begin);
  return message;
}

}  // namespace

std::string report_json(const Report& report) {
  Json json = {{"schema", kSchemaName},       {"version", kReportVersion},
               {"started", report.started},   {"command", report.command},
               {"operands", report.operands}, {"complete", report.complete}};
  const DeviceInfo& device = report.device;
  json["device"] = {{"backend", device.backend},
                    {"name", device.name},
                    {"architecture", device.architecture},
                    {"units", device.units},
                    {"clock_hz", number_or_null(device.clock_hz)},
                    {"memory_bytes", number_or_null(device.memory_bytes)},
                    {"last_level_cache_bytes", number_or_null(device.last_level_cache_bytes)},
                    {"driver", device.driver},
                    {"datasheet", device.datasheet}};
  json["build"] = {{"compiler", report.build.compiler},
                   {"flags", report.build.flags},
                   {"commit", report.build.commit}};
  json["problems"] = report.problems;
  if (!report.in_flight.empty()) json["in_flight"] = in_flight_to_json(report.in_flight);
  if (!report.products.empty()) json["products"] = products_to_json(report.products);
  if (report.energy) json["energy"] = energy_to_json(*report.energy);
  if (!report.no_energy.empty()) json["no_energy"] = report.no_energy;
  json["roofs"] = Json::array();
  for (const MeasuredRoof& roof : report.roofs) json["roofs"].push_back(roof_to_json(roof));
  return json.dump(2) + "\n";
}

Report read_report(const std::filesystem::path& file) {
  const std::string text = base::read_given_file(file);
  try {
    return report_from_json(Json::parse(text));
  } catch (const Json::parse_error& error) {
    throw std::runtime_error(file.string() + ":" + place_of(text, error.byte) +
                             ": this is not valid JSON, as `roofline measure --out` writes it");
  } catch (const std::exception& error) {
    throw std::runtime_error(file.string() + ": " + without_library(error.what()));
  }
}

}  // namespace roofline
