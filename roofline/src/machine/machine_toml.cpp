// SPDX-License-Identifier: MIT
// Reads machines from TOML data files and reports the place of every error.
#include "machine_toml.hpp"

#include <toml++/toml.h>

#include <cmath>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <type_traits>

#include "roofline/checks.hpp"
#include "roofline/units.hpp"

namespace roofline {
namespace {

constexpr std::int64_t kSchema = 1;

/// One table of the file; its getters report every error as "file:line:column: what".
class Table {
 public:
  Table(const toml::table& table, const std::filesystem::path& file) : table_(table), file_(file) {}

  [[noreturn]] void fail(const toml::source_region& place, const std::string& what) const {
    throw std::runtime_error(file_.string() + ":" + std::to_string(place.begin.line) + ":" +
                             std::to_string(place.begin.column) + ": " + what);
  }

  void allow_only(std::initializer_list<std::string_view> keys) const {
    for (const auto& [key, node] : table_) {
      bool known = false;
      for (const std::string_view allowed : keys) known = known || key.str() == allowed;
      if (!known) fail(key.source(), "unknown key '" + std::string(key.str()) + "'");
    }
  }

  bool has(std::string_view key) const { return table_.contains(key); }

  std::string text(std::string_view key) const {
    const toml::node& node = required(key);
    const auto value = node.value<std::string>();
    if (!node.is_string() || !value) fail(node.source(), std::string(key) + " must be a string");
    return *value;
  }

  std::string text_or(std::string_view key, const std::string& default_value) const {
    return has(key) ? text(key) : default_value;
  }

  std::vector<std::string> texts(std::string_view key) const {
    std::vector<std::string> result;
    if (!has(key)) return result;
    const toml::array* array = required(key).as_array();
    if (!array) fail(required(key).source(), std::string(key) + " must be a list of strings");
    for (const toml::node& entry : *array) {
      if (!entry.is_string()) fail(entry.source(), std::string(key) + " must hold strings only");
      result.push_back(entry.as_string()->get());
    }
    return result;
  }

  bool flag(std::string_view key) const {
    if (!has(key)) return false;
    const toml::node& node = required(key);
    if (!node.is_boolean()) fail(node.source(), std::string(key) + " must be true or false");
    return node.as_boolean()->get();
  }

  double number(std::string_view key) const {
    const toml::node& node = required(key);
    if (!node.is_number()) fail(node.source(), std::string(key) + " must be a number");
    return checked(node, [&] { return require_positive(*node.value<double>(), key); });
  }

  /// An integer above zero.
  std::int64_t count(std::string_view key) const {
    const toml::node& node = required(key);
    if (!node.is_integer()) fail(node.source(), std::string(key) + " must be a whole number");
    const std::int64_t value = node.as_integer()->get();
    checked(node, [&] { return require_positive(static_cast<double>(value), key); });
    return value;
  }

  /// Whole bytes, written as a quantity ("228 KiB").
  std::int64_t bytes(std::string_view key) const {
    const double value = quantity(key, kBytes);
    if (value != std::floor(value)) {
      fail(required(key).source(), std::string(key) + " must be whole bytes");
    }
    return static_cast<std::int64_t>(value);
  }

  double quantity(std::string_view key, const Dimension& dimension) const {
    const toml::node& node = required(key);
    const std::string written = text(key);
    return checked(node,
                   [&] { return require_positive(parse_quantity_as(written, dimension), key); });
  }

  std::optional<double> optional_quantity(std::string_view key, const Dimension& dimension) const {
    if (!has(key)) return std::nullopt;
    return quantity(key, dimension);
  }

  template <class Parse>
  auto parsed(std::string_view key, Parse parse) const {
    const std::string written = text(key);
    return checked(required(key), [&] { return parse(written); });
  }

  std::optional<Table> table(std::string_view key) const {
    if (!has(key)) return std::nullopt;
    const toml::node& node = required(key);
    if (!node.is_table()) fail(node.source(), std::string(key) + " must be a table");
    return Table(*node.as_table(), file_);
  }

  Table required_table(std::string_view key) const {
    required(key);
    return *table(key);
  }

  std::vector<Table> tables(std::string_view key) const {
    const toml::node& node = required(key);
    const toml::array* array = node.as_array();
    if (!array)
      fail(node.source(), std::string(key) + " must be written as [[" + std::string(key) + "]]");
    std::vector<Table> result;
    for (const toml::node& entry : *array) {
      if (!entry.is_table()) fail(entry.source(), std::string(key) + " must hold tables only");
      result.emplace_back(*entry.as_table(), file_);
    }
    return result;
  }

  const toml::source_region& place() const { return table_.source(); }

 private:
  const toml::node& required(std::string_view key) const {
    const toml::node* node = table_.get(key);
    if (!node) fail(table_.source(), std::string(key) + " is missing here");
    return *node;
  }

  template <class Compute>
  std::invoke_result_t<Compute> checked(const toml::node& node, Compute compute) const {
    try {
      return compute();
    } catch (const std::invalid_argument& error) {
      fail(node.source(), error.what());
    }
  }

  const toml::table& table_;
  const std::filesystem::path& file_;
};

Confidence parse_confidence(const std::string& name) {
  for (const Confidence confidence :
       {Confidence::kCrossChecked, Confidence::kUnchecked, Confidence::kMeasured}) {
    if (name == to_string(confidence)) return confidence;
  }
  throw std::invalid_argument("unknown confidence '" + name +
                              "'; it is cross-checked, unchecked or measured");
}

Provenance read_provenance(const Table& table) {
  return {table.text("source"), table.parsed("confidence", parse_confidence),
          table.text_or("note", "")};
}

Peak read_peak(const Table& table) {
  table.allow_only({"precision", "unit", "rate", "sparse", "clock", "accumulator", "parts",
                    "source", "confidence", "note"});
  Peak peak;
  peak.precision = table.parsed("precision", [](auto& name) { return parse_precision(name); });
  peak.unit = table.parsed("unit", [](auto& name) { return parse_unit_name(name); });
  peak.operations_per_second = table.quantity("rate", kOperationsPerSecond);
  peak.sparse = table.flag("sparse");
  peak.clock_hz = table.optional_quantity("clock", kHertz);
  peak.accumulator = table.text_or("accumulator", "");
  if (const auto parts = table.table("parts")) {
    parts->allow_only({"units", "operations_per_clock"});
    peak.parts = {parts->number("units"), parts->number("operations_per_clock")};
  }
  peak.provenance = read_provenance(table);
  return peak;
}

MemoryLevel read_level(const Table& table) {
  table.allow_only(
      {"name", "capacity", "instances", "bandwidth", "parts", "source", "confidence", "note"});
  MemoryLevel level;
  level.name = table.text("name");
  level.capacity_bytes = table.optional_quantity("capacity", kBytes);
  if (table.has("instances")) level.instances = table.number("instances");
  if (const auto parts = table.table("parts")) {
    parts->allow_only({"bus_bits", "transfer_rate"});
    level.parts = {parts->number("bus_bits"), parts->quantity("transfer_rate", kHertz)};
  }
  level.bytes_per_second = table.optional_quantity("bandwidth", kBytesPerSecond);
  level.provenance = read_provenance(table);
  return level;
}

Multiprocessor::Resident read_resident(const Table& table) {
  table.allow_only({"max_threads", "max_blocks", "registers", "registers_granularity", "source",
                    "confidence", "note"});
  return {static_cast<int>(table.count("max_threads")), static_cast<int>(table.count("max_blocks")),
          table.count("registers"), table.count("registers_granularity"), read_provenance(table)};
}

Multiprocessor::Shared read_shared(const Table& table) {
  table.allow_only(
      {"capacity", "reserved", "granularity", "banks", "source", "confidence", "note"});
  const std::int64_t reserved = table.has("reserved") ? table.bytes("reserved") : 0;
  return {table.bytes("capacity"), reserved, table.bytes("granularity"),
          static_cast<int>(table.count("banks")), read_provenance(table)};
}

Multiprocessor::L1 read_l1(const Table& table) {
  table.allow_only({"capacity", "holds_shared", "bytes_per_clock", "sector", "line", "latency",
                    "source", "confidence", "note"});
  return {table.bytes("capacity"),
          table.flag("holds_shared"),
          table.number("bytes_per_clock"),
          static_cast<int>(table.bytes("sector")),
          static_cast<int>(table.bytes("line")),
          table.quantity("latency", kSeconds),
          read_provenance(table)};
}

Multiprocessor::L2 read_l2(const Table& table) {
  table.allow_only({"partitions", "bytes_per_clock", "latency", "source", "confidence", "note"});
  const int partitions = table.has("partitions") ? static_cast<int>(table.count("partitions")) : 1;
  return {partitions, table.number("bytes_per_clock"), table.quantity("latency", kSeconds),
          read_provenance(table)};
}

Multiprocessor::Dram read_dram(const Table& table) {
  table.allow_only({"fetch", "latency", "source", "confidence", "note"});
  return {static_cast<int>(table.bytes("fetch")), table.quantity("latency", kSeconds),
          read_provenance(table)};
}

Multiprocessor read_multiprocessor(const Table& table) {
  table.allow_only({"count", "lanes", "clock", "instructions_per_clock", "dependent_clocks",
                    "special_per_clock", "start", "source", "confidence", "note", "resident",
                    "shared", "l1", "l2", "dram"});
  Multiprocessor result;
  result.count = static_cast<int>(table.count("count"));
  result.lanes = static_cast<int>(table.count("lanes"));
  result.clock_hz = table.quantity("clock", kHertz);
  result.instructions_per_clock = table.number("instructions_per_clock");
  result.dependent_clocks = table.number("dependent_clocks");
  result.special_per_clock = table.number("special_per_clock");
  result.start_seconds = table.quantity("start", kSeconds);
  result.provenance = read_provenance(table);
  result.resident = read_resident(table.required_table("resident"));
  result.shared = read_shared(table.required_table("shared"));
  result.l1 = read_l1(table.required_table("l1"));
  result.l2 = read_l2(table.required_table("l2"));
  result.dram = read_dram(table.required_table("dram"));
  return result;
}

// A rate or, for latencies, a time.
double measured_rate(const std::string& text) {
  const Quantity rate = parse_quantity(text);
  for (const Dimension& dimension : {kBytesPerSecond, kOperationsPerSecond, kSeconds}) {
    if (rate.dimension == dimension) return require_positive(rate.value, "'" + text + "'");
  }
  throw std::invalid_argument("'" + text + "' is in none of B/s, FLOP/s, OP/s and s");
}

void check_spread(const Table& table) {
  for (const char* key : {"median", "percentile_5", "percentile_95"}) {
    table.parsed(key, measured_rate);
  }
  table.count("samples");
}

void check_measured_energy(const Table& energy) {
  energy.allow_only({"meter", "idle", "static", "per_flop", "per_byte", "worst_error", "load"});
  energy.quantity("idle", kWatts);
  if (energy.has("per_flop")) {
    energy.quantity("static", kWatts);
    energy.quantity("per_flop", {.operations = -1, .joules = 1});
    energy.quantity("per_byte", {.bytes = -1, .joules = 1});
  }
  if (!energy.has("load")) return;
  for (const Table& load : energy.tables("load")) {
    load.allow_only({"computed", "moved", "power"});
    load.quantity("computed", kOperationsPerSecond);
    load.quantity("moved", kBytesPerSecond);
    load.quantity("power", kWatts);
  }
}

void check_measured(const Table& measured) {
  measured.allow_only({"backend", "device", "units", "clock", "memory", "last_level_cache",
                       "driver", "started", "command", "operands", "compiler", "flags", "commit",
                       "no_energy", "roof", "product", "in_flight", "energy"});
  for (const Table& roof : measured.tables("roof")) {
    roof.allow_only({"name", "level", "median", "percentile_5", "percentile_95", "samples",
                     "sustained", "power", "energy", "metered_share", "metered_clock",
                     "held_back_by", "configuration", "refused", "note"});
    roof.text("name");
    check_spread(roof);
    if (roof.has("sustained")) roof.parsed("sustained", measured_rate);
    roof.optional_quantity("power", kWatts);
    roof.optional_quantity("metered_clock", kHertz);
  }
  if (measured.has("product")) {
    for (const Table& product : measured.tables("product")) {
      product.allow_only({"name", "precision", "rows", "columns", "depth", "median", "percentile_5",
                          "percentile_95", "samples", "refused"});
      product.text("name");
      check_spread(product);
    }
  }
  if (measured.has("in_flight")) {
    for (const Table& point : measured.tables("in_flight")) {
      point.allow_only({"bytes", "bandwidth"});
      point.quantity("bytes", kBytes);
      point.quantity("bandwidth", kBytesPerSecond);
    }
  }
  if (const auto energy = measured.table("energy")) check_measured_energy(*energy);
}

Machine read_machine(const Table& table) {
  table.allow_only({"schema", "id", "name", "vendor", "kind", "architecture", "reported_as",
                    "launch_overhead", "peak", "level", "multiprocessor", "measured"});
  // A file may also keep measured figures, for human readers: the model takes its figures from
  // reports.
  if (const auto measured = table.table("measured")) check_measured(*measured);
  if (table.number("schema") != kSchema) {
    table.fail(table.place(), "this program reads schema 1 of machine files");
  }
  Machine machine;
  machine.id = table.text("id");
  machine.name = table.text("name");
  machine.vendor = table.text("vendor");
  machine.kind = table.parsed("kind", [](const std::string& kind) {
    if (kind != "gpu" && kind != "cpu") throw std::invalid_argument("kind must be gpu or cpu");
    return kind;
  });
  machine.architecture = table.text("architecture");
  machine.reported_as = table.texts("reported_as");
  machine.launch_overhead_seconds = table.optional_quantity("launch_overhead", kSeconds);
  // A file written by `roofline submit` has no documented figures yet.
  const bool submitted = table.has("measured");
  if (!submitted || table.has("peak")) {
    for (const Table& peak : table.tables("peak")) machine.peaks.push_back(read_peak(peak));
  }
  if (!submitted || table.has("level")) {
    for (const Table& level : table.tables("level")) machine.levels.push_back(read_level(level));
  }
  if (const auto part = table.table("multiprocessor")) {
    machine.multiprocessor = read_multiprocessor(*part);
  }
  return machine;
}

}  // namespace

Machine load_machine_toml(const std::filesystem::path& file) {
  if (!std::ifstream(file)) {
    throw std::runtime_error("cannot open the machine file " + file.string());
  }
  toml::table parsed;
  try {
    parsed = toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    const auto& place = error.source().begin;
    throw std::runtime_error(file.string() + ":" + std::to_string(place.line) + ":" +
                             std::to_string(place.column) + ": " +
                             std::string(error.description()));
  }
  return read_machine(Table(parsed, file));
}

}  // namespace roofline
