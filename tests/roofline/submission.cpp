// SPDX-License-Identifier: MIT
// Machine files written from reports.
#include "roofline/submission.hpp"

#include <filesystem>

#include "base/files.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace roofline;
using Catch::Matchers::Contains;

namespace {

Machine loaded(const std::string& text) {
  const auto file = support::scratch_folder() / "roofline-submission.toml";
  std::filesystem::remove(file);
  base::write_file_atomically(file, text);
  return load_machine(file);
}

}  // namespace

TEST_CASE("a machine's id from its name") {
  CHECK(machine_id("NVIDIA H200") == "nvidia-h200");
  CHECK(machine_id("Intel(R) Xeon(R) CPU @ 2.70GHz") == "intel-r-xeon-r-cpu-2-70ghz");
  CHECK(machine_id("  ").empty());
}

TEST_CASE("a known machine: stated and measured part in one file that loads") {
  const Report report = read_report(RL_MEASURED_ROOFS);
  const Machine h200 = load_machine(std::filesystem::path(RL_MACHINE_FOLDER) / "h200-sxm.toml");
  const std::string text = submission_toml(report, "my-h200", &h200);
  const Machine machine = loaded(text);
  CHECK(machine.id == "my-h200");
  CHECK(machine.name == h200.name);
  REQUIRE(machine.peaks.size() == h200.peaks.size());
  for (std::size_t i = 0; i < h200.peaks.size(); ++i) {
    CHECK(machine.peaks[i].operations_per_second ==
          Approx(h200.peaks[i].operations_per_second).epsilon(1e-5));
    CHECK(machine.peaks[i].provenance.source == h200.peaks[i].provenance.source);
    CHECK(machine.peaks[i].sparse == h200.peaks[i].sparse);
    CHECK(derived_rate(machine.peaks[i]).value_or(0) ==
          Approx(derived_rate(h200.peaks[i]).value_or(0)).epsilon(1e-5));
  }
  CHECK(bandwidth(machine) == Approx(bandwidth(h200)));
  CHECK(derived_rate(memory_level(machine, "DRAM")).value_or(0) ==
        Approx(derived_rate(memory_level(h200, "DRAM")).value_or(0)).epsilon(1e-5));
  // All measurements are included, but separately: none of them has become a peak.
  const auto measured = text.find("# Measured");
  REQUIRE(measured != std::string::npos);
  CHECK(text.find("[[peak]]", measured) == std::string::npos);
  CHECK(text.find("[[level]]", measured) == std::string::npos);
  for (const MeasuredRoof& roof : report.roofs) {
    CHECK(text.find("name = \"" + roof.name + "\"", measured) != std::string::npos);
  }
  for (const std::string& fact : {report.build.compiler, report.build.commit, report.started}) {
    CHECK(text.find(fact, measured) != std::string::npos);
  }
  CHECK_THAT(text, Contains("median = \"4.42355 TB/s\""));  // of the triad
  CHECK_THAT(text, Contains(" TOP/s\""));                   // integer operations are not FLOPs
}

TEST_CASE("sustained rates, power, products, bytes in flight and energy are in the file") {
  const Report report = read_report(RL_FULL_REPORT);
  const std::string text = submission_toml(report, "my-h200", nullptr);
  CHECK(loaded(text).peaks.empty());
  const auto part_of = [&](const std::string& name) {
    const auto begin = text.find("name = \"" + name + "\"");
    REQUIRE(begin != std::string::npos);
    return text.substr(begin, text.find("\n[", begin) - begin);
  };
  CHECK_THAT(part_of("bf16.gemm"),
             Contains("sustained = \"689.606 TFLOP/s\"") && Contains("energy = \"") &&
                 Contains(" pJ/FLOP\"") && Contains("power = \"") &&
                 Contains("held_back_by = \"the power cap\"") && Contains("metered_share = 0.89"));
  CHECK_THAT(part_of("int8.gemm"),
             Contains("sustained = \"1.29709 POP/s\"") && Contains(" J/OP\"") && !Contains("FLOP"));
  CHECK_THAT(part_of("read"), Contains(" pJ/B\""));
  const auto count = [&](const std::string& what) {
    std::size_t found = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
  };
  CHECK(count("[[measured.product]]") == report.products.size());
  CHECK(count("[[measured.in_flight]]") == report.in_flight.size());
  CHECK(count("[[measured.energy.load]]") == report.energy->sweep.size());
  CHECK_THAT(text, Contains("idle = \"") && Contains("per_flop = \"") &&
                       Contains("per_byte = \"") && Contains("static = \""));
  // Errors in them are refused as elsewhere.
  std::string wrong = text;
  wrong.replace(wrong.find("idle = \""), 8, "idle = \"-");
  CHECK_THROWS_WITH(loaded(wrong), Contains("idle"));
  wrong = text;
  wrong.replace(wrong.find("median = \""), 10, "median = \"fast ");
  CHECK_THROWS_WITH(loaded(wrong), Contains("'fast "));
  wrong = text;
  wrong.replace(wrong.find("sustained = \"689.606 TFLOP/s"), 28, "sustained = \"689.606 TB/J");
  CHECK_THROWS_WITH(loaded(wrong), Contains("in none of B/s, FLOP/s, OP/s and s"));
  CHECK_THROWS_WITH(loaded(text + "color = 3\n"), Contains("unknown key 'color'"));
}

TEST_CASE("an unknown machine: its stated part is left to be filled in") {
  Report report = read_report(RL_MEASURED_ROOFS);
  report.device.name = "NVIDIA \"New\" \\ GPU\n";
  const std::string text = submission_toml(report, "new", nullptr);
  CHECK_THAT(text, Contains("# [[peak]]\n# precision = \"fp32\"\n# unit = \"vector\"\n"));
  const Machine machine = loaded(text);
  CHECK(machine.peaks.empty());
  CHECK(machine.levels.empty());
  CHECK(machine.vendor == "NVIDIA");
}

TEST_CASE("what cannot be submitted, and what is not part of a measurement") {
  Report report = read_report(RL_MEASURED_ROOFS);
  report.complete = false;
  CHECK_THROWS_WITH(submission_toml(report, "x", nullptr), Contains("interrupted"));
  report.complete = true;
  for (const char* id : {"", "a b", "../x", ".hidden", "-x", "x\"y"}) {
    CHECK_THROWS_WITH(submission_toml(report, id, nullptr), Contains("cannot be a machine's id"));
  }
  report.complete = true;
  const std::string text = submission_toml(report, "x", nullptr);
  CHECK_THROWS_WITH(loaded(text + "speed = \"1 GB/s\"\n"), Contains("unknown key 'speed'"));
  CHECK_THROWS_WITH(loaded(text + "\n[[measured.roof]]\nname = \"triad\"\n"), Contains("median"));
}
