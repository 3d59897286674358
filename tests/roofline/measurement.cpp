// SPDX-License-Identifier: MIT
// Measurement reports: statistics, the JSON round trip, and the machine behind a report.
#include "roofline/measurement.hpp"

#include <cstring>
#include <filesystem>
#include <limits>

#include "base/files.hpp"
#include "roofline/operation.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace roofline;
using Catch::Matchers::Contains;

namespace {

MeasuredRoof stream(const std::string& name, double rate) {
  MeasuredRoof roof;
  roof.name = name;
  roof.level = "DRAM";
  roof.rate = {rate, 0.9 * rate, 1.1 * rate, 20};
  return roof;
}

Report sample_report() {
  Report report;
  report.device.backend = "cpu";
  report.device.name = "Test CPU, \"quoted\"";
  report.device.units = 2;
  report.device.clock_hz = 3e9;
  report.started = "2026-01-02T03:04:05Z";
  report.complete = false;
  MeasuredRoof fma = stream("fp32.vector", 2.5e11);
  fma.kind = RoofKind::kCompute;
  fma.level.clear();
  fma.precision = Precision::kFp32;
  fma.unit = Unit::kVector;
  fma.limit = 3e11;
  MeasuredRoof impossible = stream("write", 9e12);
  impossible.refused = "3 times the datasheet";
  MeasuredRoof launch = stream("launch", 4e-6);
  launch.kind = RoofKind::kLatency;
  launch.level.clear();
  report.roofs = {stream("triad", 3e10), stream("read", 4e10), impossible, fma, launch};
  return report;
}

std::filesystem::path temporary(const std::string& name, const std::string& content) {
  auto path = support::scratch_folder() / ("roofline-measurement-" + name);
  base::write_file_atomically(path, content);
  return path;
}

}  // namespace

TEST_CASE("median and percentiles") {
  const Spread spread = summarize({5, 1, 3, 2, 4});
  REQUIRE(spread.median == 3);
  REQUIRE(spread.percentile_5 == Approx(1.2));
  REQUIRE(spread.percentile_95 == Approx(4.8));
  REQUIRE(spread.samples == 5);
  REQUIRE(summarize({7}).percentile_95 == 7);
  REQUIRE_THROWS_AS(summarize({}), std::invalid_argument);
  REQUIRE_THROWS_AS(summarize({1, std::numeric_limits<double>::quiet_NaN()}),
                    std::invalid_argument);
}

TEST_CASE("a report survives being written and read") {
  const Report report = sample_report();
  const auto file = temporary("good.json", report_json(report));
  const Report again = read_report(file);
  REQUIRE(report_json(again) == report_json(report));
  REQUIRE_FALSE(again.complete);
  REQUIRE(again.roofs.size() == 5);
}

TEST_CASE("the machine behind a report") {
  const auto file = temporary("machine.json", report_json(sample_report()));
  const Machine machine = load_machine(file);
  REQUIRE(machine.measured);
  REQUIRE(machine.kind == "cpu");
  // The fastest stream that was not refused.
  REQUIRE(bandwidth(machine) == Approx(4e10));
  REQUIRE(machine.streams.at("triad") == Approx(3e10));
  REQUIRE(machine.streams.count("write") == 0);
  REQUIRE(best_peak(machine, Precision::kFp32).operations_per_second == Approx(2.5e11));
  REQUIRE(machine.launch_overhead_seconds.value() == Approx(4e-6));
}

TEST_CASE("a machine has a product's highest rate and the one that it sustains") {
  Report report = sample_report();
  MeasuredRoof product = stream("bf16.gemm", 7.5e14);
  product.kind = RoofKind::kCompute;
  product.level.clear();
  product.precision = Precision::kBf16;
  product.unit = Unit::kMatrix;
  report.roofs.push_back(product);
  CHECK(machine_from_report(report).products.at(Precision::kBf16) == 7.5e14);
  CHECK(machine_from_report(report).sustained_products.empty());
  report.roofs.back().sustained = 6.9e14;
  report.roofs.back().sustained_configuration = "n = 4096";
  const Report again = read_report(temporary("sustained.json", report_json(report)));
  CHECK(again.roofs.back().sustained == 6.9e14);
  CHECK(again.roofs.back().sustained_configuration == "n = 4096");
  const Machine machine = machine_from_report(again);
  CHECK(machine.products.at(Precision::kBf16) == 7.5e14);
  CHECK(machine.sustained_products.at(Precision::kBf16) == 6.9e14);
  CHECK(best_peak(machine, Precision::kBf16).operations_per_second == 7.5e14);
  CHECK_THAT(report_csv(report), Contains(",,,,,6.9e+14\n"));
}

TEST_CASE("the tables beside the roofs are kept") {
  Report report = sample_report();
  report.in_flight = {{512, 2e11}, {131072, 4.3e12}};
  report.products = {{"down", Precision::kBf16, 8, 4096, 14336, {9e12, 8e12, 9.5e12, 20}, ""},
                     {"down", Precision::kBf16, 16, 4096, 14336, {2e13, 1e13, 3e13, 20}, "wrong"}};
  const std::string text = report_json(report);
  const Report again = read_report(temporary("tables.json", text));
  CHECK(report_json(again) == text);
  CHECK(again.in_flight.at(1).bytes_per_second == 4.3e12);
  CHECK(again.products.at(0).depth == 14336);
  CHECK(again.products.at(0).rate.percentile_95 == 9.5e12);
  CHECK(again.products.at(1).refused == "wrong");
  for (const char* field : {"bytes_per_unit", "rows", "depth"}) {
    CAPTURE(field);
    std::string broken = text;
    broken.insert(broken.find('"' + std::string(field) + "\":") + std::strlen(field) + 4, "-");
    CHECK_THROWS_WITH(read_report(temporary("broken.json", broken)), Contains(field));
  }
}

TEST_CASE("power, energy, and operations that are not FLOPs are kept, and no machine's roof") {
  Report report = sample_report();
  const std::size_t old_roofs = report.roofs.size();
  const std::string before = report_json(report);
  CHECK(before.find("energy") == std::string::npos);  // like reports from before energy existed
  MeasuredRoof exponentials = stream("fp32.exp2", 8e12);
  exponentials.kind = RoofKind::kOperationRate;
  exponentials.level.clear();
  MeasuredRoof load = stream("latency.256MiB", 4e-7);
  load.kind = RoofKind::kLatency;
  MeasuredRoof shared = stream("shared", 9e13);
  shared.level = "shared";
  report.roofs.insert(report.roofs.end(), {exponentials, load, shared});
  report.roofs[0].power = RoofPower{612.5, 1.4e-10, 1.755e9, "the power cap, temperature"};
  report.roofs[1].power = RoofPower{600, 1.3e-10, std::nullopt, ""};
  report.energy = MeasuredEnergy{"NVML, the whole board",
                                 75,
                                 {{1e12, 4e12, 500}, {6e13, 1e12, 650}},
                                 EnergyFit{{4e-12, 6e-11, 180}, 0.03}};
  const Report again = read_report(temporary("power.json", report_json(report)));
  CHECK(report_json(again) == report_json(report));
  CHECK(again.roofs[0].power->watts == 612.5);
  CHECK(again.roofs[0].power->held_back_by == "the power cap, temperature");
  CHECK_FALSE(again.roofs[1].power->clock_hz);
  CHECK_FALSE(again.roofs[2].power);
  CHECK(again.energy->fit->costs.joules_per_byte == 6e-11);
  CHECK(again.energy->sweep.at(1).watts == 650);
  CHECK(again.roofs[old_roofs].kind == RoofKind::kOperationRate);
  const std::string csv = report_csv(report);
  CHECK_THAT(csv, Contains("fp32.exp2,operations,,,,8e+12,"));
  CHECK_THAT(csv, Contains(",OP/s,"));
  CHECK_THAT(csv, Contains(",612.5,1.4e-10,1755000000,\"the power cap, temperature\","));

  for (const char* field : {"watts", "joules_per_unit", "idle_watts", "static_watts"}) {
    CAPTURE(field);
    std::string text = report_json(report);
    const auto at = text.find('"' + std::string(field) + "\":") + std::strlen(field) + 4;
    text.insert(at, "-");
    CHECK_THROWS_WITH(read_report(temporary("negative.json", text)), Contains(field));
  }

  const Machine plain = machine_from_report(sample_report());
  const Machine machine = machine_from_report(report);
  CHECK(machine.peaks.size() == plain.peaks.size());
  CHECK(machine.levels.size() == plain.levels.size());
  CHECK(machine.streams == plain.streams);
  CHECK(machine.products == plain.products);
  CHECK(bandwidth(machine) == bandwidth(plain));
  CHECK(machine.launch_overhead_seconds == plain.launch_overhead_seconds);

  report.energy.reset();
  report.no_energy = "no counters";
  CHECK(read_report(temporary("none.json", report_json(report))).no_energy == "no counters");
}

TEST_CASE("the rate that was metered, over the roof") {
  MeasuredRoof roof = stream("bf16.gemm", 8e14);
  CHECK_THROWS_WITH(metered_share(roof), Contains("no power"));
  roof.power = RoofPower{600, 1e-12, std::nullopt, ""};  // 600 W at 1 pJ each: 6e14 in a second
  CHECK(metered_share(roof) == Approx(0.75));
  roof.sustained = 6.25e14;
  CHECK(metered_share(roof) == Approx(0.96));
  CHECK(metered_share(roof) < kFullyMetered);
  Report report = sample_report();
  report.roofs.push_back(roof);
  CHECK_THAT(report_json(report), Contains("\"share_of_roof\": 0.96"));
}

TEST_CASE("the unit of a rate") {
  MeasuredRoof roof = stream("x", 1);
  CHECK(std::string(base_unit(roof)) == "B/s");
  roof.kind = RoofKind::kLatency;
  CHECK(std::string(base_unit(roof)) == "s");
  roof.kind = RoofKind::kOperationRate;
  CHECK(std::string(base_unit(roof)) == "OP/s");
  roof.kind = RoofKind::kCompute;
  roof.precision = Precision::kFp16;
  CHECK(std::string(base_unit(roof)) == "FLOP/s");
  roof.precision = Precision::kInt8;
  CHECK(std::string(base_unit(roof)) == "OP/s");
}

TEST_CASE("CSV has a line per roof and quotes what needs it") {
  Report report = sample_report();
  report.roofs[0].note = "a, \"b\"";
  const std::string csv = report_csv(report);
  REQUIRE(std::count(csv.begin(), csv.end(), '\n') == 6);
  CHECK_THAT(csv, Contains("\"a, \"\"b\"\"\""));
  CHECK_THAT(csv, Contains("fp32.vector,compute,,fp32,vector,2.5e+11"));
}

TEST_CASE("a rate above 102 % of what is possible is refused, and only that") {
  const double possible = 4e12;
  const auto refused_at = [&](double rate) {
    MeasuredRoof roof = stream("read", rate);
    apply_limits(roof, {4.8e12, 3e12, possible});
    REQUIRE(roof.datasheet == 4.8e12);
    REQUIRE(roof.limit == 3e12);
    return roof.refused;
  };
  CHECK(refused_at(3.9e12).empty());
  CHECK(refused_at(1.0199 * possible).empty());
  CHECK(refused_at(1.0201 * possible) ==
        "102 % of what the device can do; the measurement is wrong");
  CHECK_FALSE(refused_at(std::numeric_limits<double>::quiet_NaN()).empty());
  CHECK_FALSE(refused_at(std::numeric_limits<double>::infinity()).empty());

  MeasuredRoof unknown = stream("read", 9e99);
  apply_limits(unknown, {});
  CHECK(unknown.refused.empty());
  MeasuredRoof wrong = stream("read", 1);
  wrong.refused = "3 results are wrong";
  apply_limits(wrong, {possible, possible, possible});
  CHECK(wrong.refused == "3 results are wrong");
}

TEST_CASE("broken reports are refused with the place or the field") {
  const std::string good = report_json(sample_report());
  const auto error_of = [](const std::string& content) -> std::string {
    try {
      read_report(temporary("broken.json", content));
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  REQUIRE(error_of(good) == "accepted");
  CHECK_THAT(error_of(good.substr(0, good.size() / 2)), Contains("not valid JSON"));
  CHECK_THAT(error_of("{\n  \"schema\" 3}"), Contains(":2:"));
  CHECK_THAT(error_of("[]"), Contains("not a file that"));
  CHECK_THAT(error_of(replaced("\"version\": 1", "\"version\": 99")), Contains("version 99"));
  CHECK_THAT(error_of(replaced("30000000000.0", "-1")), Contains("roofs[0]: median is -1"));
  CHECK_THAT(error_of(replaced("\"fp32\"", "\"fp99\"")), Contains("roofs[3]"));
}

TEST_CASE("a rung of the ladder that a cache partly serves is not the memory's roof") {
  Report report;
  report.roofs = {stream("read", 4.6e12), stream("ladder.132MiB", 8.2e12),
                  stream("ladder.256MiB", 5e12)};
  CHECK(bandwidth(machine_from_report(report)) == 4.6e12);
  report.roofs.erase(report.roofs.begin());  // if only the ladder was measured: its largest rung
  CHECK(bandwidth(machine_from_report(report)) == 5e12);
}

TEST_CASE("the memory's roof is a stream that reads, and says which") {
  Report report;
  report.roofs = {stream("write", 4.7e12), stream("read", 4.5e12), stream("triad", 4.4e12)};
  const Machine machine = machine_from_report(report);
  CHECK(bandwidth(machine) == 4.5e12);
  CHECK(measured_roof_name(memory_level(machine, "DRAM").provenance) == "read");
  report.roofs.pop_back();
  report.roofs.pop_back();  // if only writing was measured, there is nothing else
  CHECK(bandwidth(machine_from_report(report)) == 4.7e12);
  CHECK(measured_roof_name({"NVIDIA H200 datasheet", Confidence::kCrossChecked, ""}).empty());
}

TEST_CASE("a kernel's memory roof is the stream of its own mix") {
  Report report;
  report.roofs = {stream("read", 4.5e12),   stream("write", 4.7e12), stream("copy", 4.28e12),
                  stream("scale", 4.26e12), stream("add", 4.39e12),  stream("triad", 4.4e12)};
  Machine machine = machine_from_report(report);
  const auto name = [&](double read, double written) {
    const MemoryStream found = stream_of_mix(machine, read, written);
    CHECK(found.bytes_per_second == machine.streams.at(found.name));
    return found.name;
  };
  CHECK(name(4, 0) == "read");    // a sum
  CHECK(name(4, 4) == "copy");    // a stencil, every point read once; faster than scale
  CHECK(name(8, 4) == "triad");   // SAXPY; faster than add
  CHECK(name(12, 4) == "triad");  // 3/4 is closer to 2/3 than to 1
  CHECK(name(0, 4) == "write");
  CHECK(name(1, 4) == "write");
  CHECK(name(0, 0) == "read");
  CHECK_THROWS_AS(stream_of_mix(machine, -1, 4), std::invalid_argument);
  machine.streams.clear();  // a datasheet has one figure
  CHECK(stream_of_mix(machine, 4, 4).name == "DRAM");
  CHECK(stream_of_mix(machine, 4, 4).bytes_per_second == bandwidth(machine));
}

TEST_CASE("an operation's bound takes the stream of its mix") {
  Report report;
  MeasuredRoof peak = stream("fp32.vector", 6e13);
  peak.kind = RoofKind::kCompute;
  peak.precision = Precision::kFp32;
  peak.unit = Unit::kVector;
  report.roofs = {stream("read", 4.5e12), stream("write", 4.7e12), stream("copy", 4.2e12), peak};
  const Machine machine = machine_from_report(report);
  const Operation copy{"copy", 1, 42e9, 42e9, {}};
  CHECK(hierarchical_bound(machine, Precision::kFp32, copy).seconds == Approx(84e9 / 4.2e12));
  const Operation sum{"sum", 1, 45e9, 0, {}};
  CHECK(hierarchical_bound(machine, Precision::kFp32, sum).seconds == Approx(0.01));
}
