// SPDX-License-Identifier: MIT
// Results of a full `roofline measure` on an H200: products, bytes in flight, energy; products
// compared with PyTorch's there and on an H100.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "roofline/energy.hpp"
#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"
#include "value.hpp"

namespace {

using docs::fixed;
using docs::Sources;

using namespace base::prefixes;

roofline::Report full_report(const Sources& sources) {
  return roofline::read_report(sources.measured("h200_roofs_full.json"));
}

/// The products of one run and PyTorch's: the best rate in `column` of each, over all shapes and
/// ways.
std::string beside_torch(const Sources& sources, const std::string& file,
                         const std::string& column = "median") {
  const base::CsvFile csv(sources.measured(file));
  std::map<std::string, std::map<std::string, double>> best;
  for (std::size_t row = 0; row < csv.size(); ++row) {
    double& rate = best[csv.field(row, "roof")][csv.field(row, "library")];
    rate = std::max(rate, std::stod(csv.field(row, column)) / kTera);
  }
  std::vector<docs::Row> rows;
  for (const auto& [name, rates] : best) {
    const double ours = rates.at("roofline");
    const double theirs = rates.at("PyTorch");
    rows.push_back({name, docs::short_number(ours), docs::short_number(theirs),
                    docs::fixed(ours / theirs, 3)});
  }
  return docs::markdown_table({"TFLOP/s (INT8: TOP/s)", "`roofline`", "PyTorch's best", "ratio"},
                              rows);
}

DOC_VALUE("roofs.products", [](const Sources& sources) {
  std::vector<docs::Row> rows;
  for (const roofline::MeasuredRoof& each : full_report(sources).roofs) {
    if (!each.name.ends_with(".gemm")) continue;
    if (!each.refused.empty()) throw std::runtime_error(each.name + " was refused");
    const bool integers = roofline::is_integer(each.precision.value());
    rows.push_back({each.name + (integers ? ", TOP/s" : ""),
                    docs::short_number(each.rate.median / kTera),
                    each.sustained ? docs::short_number(*each.sustained / kTera) : "-"});
  }
  return docs::markdown_table({"TFLOP/s", "highest", "without rests"}, rows);
})

DOC_FORMULA("roofs.beside_torch", beside_torch(s, "h200_products.csv"))
DOC_FORMULA("roofs.beside_torch_h100", beside_torch(s, "h100_products.csv"))
DOC_FORMULA("roofs.sustained_beside_torch_h100", beside_torch(s, "h100_products.csv", "sustained"))

// The rates at which power was metered, divided by the roofs.
DOC_VALUE("roofs.metered_share", [](const Sources& sources) {
  std::vector<double> shares;
  for (const roofline::MeasuredRoof& each : full_report(sources).roofs) {
    if (each.power) shares.push_back(100 * roofline::metered_share(each));
  }
  const auto [least, greatest] = std::minmax_element(shares.begin(), shares.end());
  return docs::fixed(*least, 0) + " to " + docs::fixed(*greatest, 0);
})

DOC_VALUE("roofs.layer", [](const Sources& sources) {
  std::map<int, docs::Row> lines;
  docs::Row heads = {"rows"};
  for (const roofline::MeasuredProduct& product : full_report(sources).products) {
    if (std::find(heads.begin(), heads.end(), product.name) == heads.end()) {
      heads.push_back(product.name);
    }
    docs::Row& line = lines[product.rows];
    if (line.empty()) line.push_back(std::to_string(product.rows));
    if (!product.refused.empty()) throw std::runtime_error("a product was refused");
    line.push_back(fmt::format("{:.3g}", product.rate.median / kTera));
  }
  std::vector<docs::Row> rows;
  for (const auto& [count, line] : lines) {
    if (count == 1 || count == 8 || count == 64 || count == 256 || count == 1024 || count == 8192) {
      rows.push_back(line);
    }
  }
  return docs::markdown_table(heads, rows);
})

DOC_VALUE("roofs.wgmma_per_cycle", [](const Sources& sources) {
  const roofline::Report report = full_report(sources);
  const std::string& note = docs::roof_named(report, "bf16.matrix.wgmma").note;
  const std::size_t at = note.find("; ");
  if (at == std::string::npos) throw std::runtime_error("no operations a cycle in the note");
  return std::to_string(std::stoi(note.substr(at + 2)));
})

std::string teraflops(const Sources& sources, const char* name) {
  return fixed(docs::roof_named(full_report(sources), name).rate.median / kTera, 0);
}
DOC_FORMULA("roofs.bf16_mma", teraflops(s, "bf16.matrix"))
DOC_FORMULA("roofs.bf16_wgmma", teraflops(s, "bf16.matrix.wgmma"))

DOC_VALUE("roofs.bf16_other", [](const Sources& s) {
  const roofline::Report report = roofline::read_report(s.measured("h200_roofs.json"));
  return fmt::format("{:.0f} and {:.0f}",
                     docs::roof_named(report, "bf16.matrix").rate.median / kTera,
                     docs::roof_named(report, "bf16.matrix.wgmma").rate.median / kTera);
})

DOC_FORMULA("roofs.fp16_wgmma", teraflops(s, "fp16.matrix.wgmma"))
DOC_FORMULA("roofs.fp16_gemm", teraflops(s, "fp16.gemm"))
DOC_FORMULA("roofs.bf16_gemm", teraflops(s, "bf16.gemm"))
DOC_VALUE("roofs.bf16_gemm_percent", [](const Sources& s) {
  const double peak =
      roofline::best_peak(s.machine("h200-sxm"), roofline::Precision::kBf16).operations_per_second;
  return docs::fixed(100 * docs::roof_named(full_report(s), "bf16.gemm").rate.median / peak, 0);
})
double first_triad(const Sources& sources) {
  return roofline::load_machine(sources.measured("h200_roofs.json")).streams.at("triad");
}
DOC_FORMULA("roofs.triad_gb", docs::fixed(first_triad(s) / 1e9, 0))
DOC_VALUE("roofs.saxpy_us", [](const Sources& s) {
  constexpr double kBytes = 12.0 * (1 << 26);  // x read, y read and written
  return docs::fixed(1e6 * kBytes / first_triad(s), 0);
})

double rate(const Sources& sources, const char* name) {
  return docs::roof_named(full_report(sources), name).rate.median;
}
std::string percent_below(double measured, double stated, int decimals) {
  return docs::fixed(100 * (1 - measured / stated), decimals);
}
DOC_FORMULA("roofs.fp32_teraflops", docs::fixed(rate(s, "fp32.vector") / kTera, 1))
DOC_FORMULA("roofs.read_gb", docs::fixed(rate(s, "read") / 1e9, 0))
DOC_FORMULA("roofs.fp32_ridge", docs::fixed(rate(s, "fp32.vector") / rate(s, "read"), 1))
DOC_VALUE("roofs.fp32_loss", [](const Sources& s) {
  const roofline::Machine stated = s.machine("h200-sxm");
  const double peak = roofline::best_peak(stated, roofline::Precision::kFp32).operations_per_second;
  return percent_below(rate(s, "fp32.vector"), peak, 1);
})
DOC_FORMULA("roofs.read_loss",
            percent_below(rate(s, "read"), roofline::bandwidth(s.machine("h200-sxm")), 0))

// Three measurements of the same streams.
std::vector<double> in_all_reports(const Sources& sources, const std::string& stream) {
  std::vector<double> rates;
  for (const char* file : {"h200_roofs_full.json", "h200_roofs_quick.json", "h200_roofs.json"}) {
    rates.push_back(roofline::load_machine(sources.measured(file)).streams.at(stream));
  }
  std::sort(rates.begin(), rates.end());
  return rates;
}
double spread_percent(const Sources& sources, const std::string& stream) {
  const std::vector<double> rates = in_all_reports(sources, stream);
  return 100 * (rates.back() - rates.front()) / rates[rates.size() / 2];
}
DOC_VALUE("roofs.reads", [](const Sources& s) {
  const std::vector<double> rates = in_all_reports(s, "read");
  return fmt::format("{:.0f}, {:.0f} and {:.0f}", rates[0] / 1e9, rates[1] / 1e9, rates[2] / 1e9);
})
DOC_FORMULA("roofs.read_spread", docs::fixed(spread_percent(s, "read"), 1))
DOC_VALUE("roofs.other_spread", [](const Sources& s) {
  double most = 0;
  for (const char* stream : {"triad", "copy", "write"}) {
    most = std::max(most, spread_percent(s, stream));
  }
  return docs::fixed(most, 1);
})

double chase_nanoseconds(const roofline::Report& report) {
  for (const roofline::MeasuredRoof& each : report.roofs) {
    if (each.kind == roofline::RoofKind::kLatency && each.level == "DRAM") {
      return each.rate.median * 1e9;
    }
  }
  throw std::runtime_error("h200_roofs_full.json has no latency of DRAM");
}
DOC_FORMULA("roofs.chase_ns", fixed(chase_nanoseconds(full_report(s)), 0))
DOC_VALUE("roofs.half_kb", [](const Sources& sources) {
  const roofline::Report report = full_report(sources);
  const double half = docs::roof_named(report, "read").rate.median / 2;
  for (const roofline::ConcurrencyPoint& point : report.in_flight) {
    if (point.bytes_per_second >= half) return fixed(point.bytes_per_unit / 1024, 0);
  }
  throw std::runtime_error("no point reaches half the bandwidth");
})
DOC_VALUE("roofs.full_kb", [](const Sources& sources) {
  const roofline::Report report = full_report(sources);
  const double nearly = 0.95 * docs::roof_named(report, "read").rate.median;
  for (const roofline::ConcurrencyPoint& point : report.in_flight) {
    if (point.bytes_per_second >= nearly) return fixed(point.bytes_per_unit / 1024, 0);
  }
  throw std::runtime_error("no point reaches 95 % of the bandwidth");
})

/// Minimum and maximum of a column over the runs in a file, each times `scale`.
std::string range_of_runs(const Sources& sources, const char* file, const char* column,
                          double scale, int decimals) {
  const base::CsvFile csv(sources.measured(file));
  std::vector<double> values;
  for (std::size_t row = 0; row < csv.size(); ++row) {
    values.push_back(scale * std::stod(csv.field(row, column)));
  }
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  return docs::fixed(*least, decimals) + " to " + docs::fixed(*greatest, decimals);
}
DOC_FORMULA("roofs.remote_us", range_of_runs(s, "h200_remote_latency.csv", "seconds", 1e6, 2))
DOC_FORMULA("roofs.peer_us", range_of_runs(s, "h100_peer_latency.csv", "seconds", 1e6, 3))

std::string energy_of_runs(const Sources& sources, const char* column, double scale, int decimals) {
  return range_of_runs(sources, "h200_energy_runs.csv", column, scale, decimals);
}
DOC_FORMULA("roofs.energy.flop", energy_of_runs(s, "joules_per_flop", 1e12, 1))
DOC_FORMULA("roofs.energy.byte", energy_of_runs(s, "joules_per_byte", 1e12, 0))
DOC_FORMULA("roofs.energy.static", energy_of_runs(s, "static_watts", 1, 0))
DOC_VALUE("roofs.energy.streams", [](const Sources& sources) {
  const roofline::Report report = full_report(sources);
  const roofline::EnergyCosts costs = report.energy.value().fit.value().costs;
  double worst = 0;
  for (const char* stream : {"read", "copy", "scale", "add", "triad"}) {
    const roofline::RoofPower power = docs::roof_named(report, stream).power.value();
    const double rate = power.watts / power.joules_per_unit;
    worst = std::max(
        worst, std::fabs((costs.idle_watts + costs.joules_per_byte * rate) / power.watts - 1));
  }
  return docs::fixed(100 * worst, 0);
})

// The chart of topic 03 uses the same run.
roofline::EnergyFit fit_of(const Sources& sources) {
  return full_report(sources).energy.value().fit.value();
}
DOC_FORMULA("03.energy.measured.flop", docs::fixed(1e12 * fit_of(s).costs.joules_per_flop, 1))
DOC_FORMULA("03.energy.measured.byte", docs::fixed(1e12 * fit_of(s).costs.joules_per_byte, 0))
DOC_FORMULA("03.energy.measured.static", docs::fixed(fit_of(s).costs.idle_watts, 0))
// All runs, the smallest and the largest: from data/measured/h200_energy_runs.csv.
std::string in_all_runs(const Sources& sources, const char* column, double unit) {
  const base::CsvFile csv(sources.measured("h200_energy_runs.csv"));
  std::vector<double> values;
  for (std::size_t row = 0; row < csv.size(); ++row) {
    values.push_back(std::stod(csv.field(row, column)) / unit);
  }
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return fmt::format("{:.3g} to {:.3g}", *least, *most);
}
DOC_FORMULA("03.energy.runs.flop", in_all_runs(s, "joules_per_flop", 1e-12))
DOC_FORMULA("03.energy.runs.byte", in_all_runs(s, "joules_per_byte", 1e-12))
DOC_FORMULA("03.energy.runs.static", in_all_runs(s, "static_watts", 1))
DOC_FORMULA("03.energy.runs.idle", in_all_runs(s, "idle_watts", 1))
DOC_FORMULA("03.energy.measured.error", docs::fixed(100 * fit_of(s).worst_relative_error, 1))
DOC_VALUE("03.energy.measured.share", [](const Sources& sources) {
  const roofline::Report report = full_report(sources);
  const double at_rest = fit_of(sources).costs.idle_watts;
  std::vector<double> shares;
  for (const roofline::EnergyPoint& load : report.energy.value().sweep) {
    shares.push_back(100 * (1 - at_rest / load.watts));
  }
  const auto [least, greatest] = std::minmax_element(shares.begin(), shares.end());
  return docs::fixed(*least, 0) + " to " + docs::fixed(*greatest, 0);
})

}  // namespace
