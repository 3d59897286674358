// SPDX-License-Identifier: MIT
// Writing a machine file from a report.
#include "roofline/submission.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>

#include "base/text.hpp"
#include "roofline/units.hpp"

namespace roofline {
namespace {

/// Removes line ends, other control characters, and trailing blanks.
std::string one_line(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return result.substr(0, result.find_last_not_of(' ') + 1);
}

std::string in_quotes(std::string_view text) {
  std::string result;
  for (const char c : one_line(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return "\"" + result + "\"";
}

void line(std::string& text, const char* key, std::string_view value) {
  if (!value.empty()) text += std::string(key) + " = " + in_quotes(value) + "\n";
}

void quantity(std::string& text, const char* key, double value, const Dimension& dimension) {
  line(text, key, format_quantity(value, dimension, 6));
}

// A number of operations: FLOPs, or OPs for integers.
void operations(std::string& text, const char* key, double value, bool integers) {
  line(text, key,
       integers ? format_integer_work(value, kOperationsPerSecond, 6)
                : format_quantity(value, kOperationsPerSecond, 6));
}

std::string plain(double number) {
  return base::formatted("%.10g", number);
}

void provenance(std::string& text, const Provenance& from) {
  line(text, "source", from.source);
  line(text, "confidence", to_string(from.confidence));
  line(text, "note", from.note);
}

// Documented figures, as in the machine's own file.
std::string stated_part(const Machine& known) {
  std::string text;
  for (const Peak& peak : known.peaks) {
    text += "\n[[peak]]\n";
    line(text, "precision", to_string(peak.precision));
    line(text, "unit", to_string(peak.unit));
    operations(text, "rate", peak.operations_per_second, is_integer(peak.precision));
    if (peak.clock_hz) quantity(text, "clock", *peak.clock_hz, kHertz);
    if (peak.sparse) text += "sparse = true\n";
    line(text, "accumulator", peak.accumulator);
    if (peak.parts) {
      text += "parts = {units = " + plain(peak.parts->units) +
              ", operations_per_clock = " + plain(peak.parts->operations_per_clock) + "}\n";
    }
    provenance(text, peak.provenance);
  }
  for (const MemoryLevel& level : known.levels) {
    text += "\n[[level]]\n";
    line(text, "name", level.name);
    if (level.capacity_bytes) quantity(text, "capacity", *level.capacity_bytes, kBytes);
    if (level.instances != 1) text += "instances = " + plain(level.instances) + "\n";
    if (level.bytes_per_second)
      quantity(text, "bandwidth", *level.bytes_per_second, kBytesPerSecond);
    if (level.parts) {
      text += "parts = {bus_bits = " + plain(level.parts->bus_bits) + ", transfer_rate = " +
              in_quotes(format_quantity(level.parts->transfers_per_second, kHertz, 6)) + "}\n";
    }
    provenance(text, level.provenance);
  }
  return text;
}

// Commented out, because these figures still have to be looked up.
std::string room_for_stated(const Report& report) {
  std::string text =
      "\n# Fill in from the vendor's document, one source per figure, and remove the '#'. Dense "
      "peaks\n"
      "# only; the highest clock. Omit what is not documented.\n";
  std::set<std::pair<Precision, Unit>> seen;
  for (const MeasuredRoof& roof : report.roofs) {
    if (!roof.precision || !roof.unit || !seen.emplace(*roof.precision, *roof.unit).second)
      continue;
    text += "#\n# [[peak]]\n# precision = " + in_quotes(to_string(*roof.precision)) +
            "\n# unit = " + in_quotes(to_string(*roof.unit)) + "\n# rate = \"... " +
            (is_integer(*roof.precision) ? "TOP/s" : "TFLOP/s") +
            "\"\n# clock = \"... GHz\"\n# source = \"\"\n# confidence = \"unchecked\"\n";
  }
  return text +
         "#\n# [[level]]\n# name = \"DRAM\"\n# capacity = \"... GB\"\n# bandwidth = \"... GB/s\"\n"
         "# source = \"\"\n# confidence = \"unchecked\"\n";
}

// A rate of a roof with its unit.
void rate(std::string& text, const char* key, const MeasuredRoof& roof, double value) {
  if (roof.kind == RoofKind::kCompute || roof.kind == RoofKind::kOperationRate) {
    operations(text, key, value, std::string_view(base_unit(roof)) == "OP/s");
  } else {
    quantity(text, key, value, roof.kind == RoofKind::kLatency ? kSeconds : kBytesPerSecond);
  }
}

void energy_price(std::string& text, const char* key, double joules, std::string_view per) {
  line(text, key, format_quantity(joules, kJoules, 6) + "/" + std::string(per));
}

// Statistics of a sample, the median first.
template <class Write>
void spread(std::string& text, const Spread& sample, const Write& write) {
  write("median", sample.median);
  write("percentile_5", sample.percentile_5);
  write("percentile_95", sample.percentile_95);
  text += "samples = " + std::to_string(sample.samples) + "\n";
}

std::string roof_part(const MeasuredRoof& roof) {
  std::string text = "\n[[measured.roof]]\n";
  line(text, "name", roof.name);
  line(text, "level", roof.level);
  spread(text, roof.rate, [&](const char* key, double value) { rate(text, key, roof, value); });
  if (roof.sustained) rate(text, "sustained", roof, *roof.sustained);
  if (roof.power) {
    quantity(text, "power", roof.power->watts, kWatts);
    const std::string_view unit = base_unit(roof);
    energy_price(text, "energy", roof.power->joules_per_unit, unit.substr(0, unit.find('/')));
    text += "metered_share = " + plain(metered_share(roof)) + "\n";
    if (roof.power->clock_hz) quantity(text, "metered_clock", *roof.power->clock_hz, kHertz);
    line(text, "held_back_by", roof.power->held_back_by);
  }
  line(text, "configuration", roof.configuration);
  line(text, "refused", roof.refused);
  line(text, "note", roof.note);
  return text;
}

std::string product_part(const MeasuredProduct& product) {
  std::string text = "\n[[measured.product]]\n";
  line(text, "name", product.name);
  line(text, "precision", to_string(product.precision));
  for (const auto& [key, size] :
       {std::pair("rows", product.rows), std::pair("columns", product.columns),
        std::pair("depth", product.depth)}) {
    text += std::string(key) + " = " + std::to_string(size) + "\n";
  }
  spread(text, product.rate, [&](const char* key, double value) {
    operations(text, key, value, is_integer(product.precision));
  });
  line(text, "refused", product.refused);
  return text;
}

std::string energy_part(const MeasuredEnergy& energy) {
  std::string text = "\n[measured.energy]\n";
  line(text, "meter", energy.meter);
  quantity(text, "idle", energy.idle_watts, kWatts);
  if (energy.fit) {
    const EnergyCosts& costs = energy.fit->costs;
    quantity(text, "static", costs.idle_watts, kWatts);
    energy_price(text, "per_flop", costs.joules_per_flop, "FLOP");
    energy_price(text, "per_byte", costs.joules_per_byte, "B");
    text += "worst_error = " + plain(energy.fit->worst_relative_error) + "\n";
  }
  for (const EnergyPoint& load : energy.sweep) {
    text += "\n[[measured.energy.load]]\n";
    quantity(text, "computed", load.flops_per_second, kOperationsPerSecond);
    quantity(text, "moved", load.bytes_per_second, kBytesPerSecond);
    quantity(text, "power", load.watts, kWatts);
  }
  return text;
}

std::string measured_part(const Report& report) {
  std::string text = "\n[measured]\n";
  line(text, "backend", report.device.backend);
  line(text, "device", report.device.name);
  if (report.device.units > 0) text += "units = " + std::to_string(report.device.units) + "\n";
  if (report.device.clock_hz) quantity(text, "clock", *report.device.clock_hz, kHertz);
  if (report.device.memory_bytes) quantity(text, "memory", *report.device.memory_bytes, kBytes);
  if (report.device.last_level_cache_bytes) {
    quantity(text, "last_level_cache", *report.device.last_level_cache_bytes, kBytes);
  }
  line(text, "driver", report.device.driver);
  line(text, "started", report.started);
  line(text, "command", report.command);
  line(text, "operands", report.operands);
  line(text, "compiler", report.build.compiler);
  line(text, "flags", report.build.flags);
  line(text, "commit", report.build.commit);
  line(text, "no_energy", report.no_energy);
  for (const MeasuredRoof& roof : report.roofs) text += roof_part(roof);
  for (const MeasuredProduct& product : report.products) text += product_part(product);
  for (const ConcurrencyPoint& point : report.in_flight) {
    text += "\n[[measured.in_flight]]\n";
    quantity(text, "bytes", point.bytes_per_unit, kBytes);
    quantity(text, "bandwidth", point.bytes_per_second, kBytesPerSecond);
  }
  if (report.energy) text += energy_part(*report.energy);
  return text;
}

// The id is also the name of the machine's file.
bool is_file_name(const std::string& id) {
  return !id.empty() && id.front() != '.' && id.front() != '-' &&
         std::all_of(id.begin(), id.end(), [](const char c) {
           return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
         });
}

}  // namespace

std::string machine_id(std::string_view device_name) {
  std::string id;
  for (const char c : device_name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte)) {
      id += static_cast<char>(std::tolower(byte));
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
  }
  while (!id.empty() && id.back() == '-') id.pop_back();
  return id;
}

std::string submission_toml(const Report& report, const std::string& id, const Machine* known) {
  if (!report.complete) {
    throw std::invalid_argument(
        "the report is of a measurement that was interrupted; measure again");
  }
  if (!is_file_name(id)) {
    throw std::invalid_argument(
        "'" + one_line(id) +
        "' cannot be a machine's id: it takes letters, digits, '-', '_' and "
        "'.', such as --id vendor-model");
  }
  std::string text = "# SPDX-License-Identifier: MIT\n# " + one_line(report.device.name) +
                     ": what documents state, and what was measured on one.\nschema = 1\n";
  line(text, "id", id);
  line(text, "name", known ? known->name : report.device.name);
  // A machine file needs a vendor; a device's name usually starts with it.
  line(text, "vendor",
       known ? known->vendor : report.device.name.substr(0, report.device.name.find(' ')));
  line(text, "kind", report.device.backend == "cpu" ? "cpu" : "gpu");
  line(text, "architecture",
       known ? known->architecture
             : (report.device.architecture.empty() ? "unknown" : report.device.architecture));
  text += "reported_as = [" + in_quotes(report.device.name) + "]\n\n# Stated\n";
  text += known ? stated_part(*known) : room_for_stated(report);
  return text + "\n# Measured\n" + measured_part(report);
}

}  // namespace roofline
