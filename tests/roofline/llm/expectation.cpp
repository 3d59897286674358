// SPDX-License-Identifier: MIT
// The expectation in addition to the bound: where its values come from, and how close it is to
// measurements that it was not derived from.
#include "roofline/llm/expectation.hpp"

#include <cmath>
#include <map>

#include "base/csv.hpp"
#include "course_data.hpp"
#include "roofline/llm/calibration.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/llm/least_squares.hpp"
#include "roofline/measurement.hpp"
#include "support/catch.hpp"

using namespace roofline;
using namespace roofline::llm;
using Catch::Matchers::Contains;

namespace {

ExpectationData data() {
  return load_expectations(kData / "expected");
}

const KernelCosts& hopper(const ExpectationData& all) {
  return kernels_of(all, machine("h200-sxm"));
}

double field(const base::CsvFile& csv, std::size_t row, const char* column) {
  return std::stod(csv.field(row, column));
}

/// Rows of h200_torch_kernels.csv for one kernel launched by a graph.
struct KernelRows {
  std::vector<double> floor;  ///< bytes over 4.8 TB/s
  std::vector<double> seconds;
  std::vector<std::string> shapes;
};

KernelRows kernel_rows(const std::string& kernel) {
  const base::CsvFile csv(kData / "measured" / "h200_torch_kernels.csv");
  KernelRows rows;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    if (csv.field(i, "kernel") != kernel || csv.field(i, "variant").ends_with("eager")) continue;
    rows.floor.push_back(field(csv, i, "bytes") / 4.8e12);
    rows.seconds.push_back(field(csv, i, "seconds_median"));
    rows.shapes.push_back(csv.field(i, "shape"));
  }
  return rows;
}

Library library(const Names& names, Machines& machines) {
  static const std::filesystem::path models = kData / "models";
  return {names, models, machines};
}

std::vector<Observation> published() {
  const Names names(kData / "measured" / "names.csv");
  Machines machines(kData / "machines");
  return observe(read_rows(kData / "measured" / "llm_measured.csv"), library(names, machines))
      .usable;
}

double median(const std::vector<double>& values) {
  return summarize(values).median;
}

/// |error| of the expected decode or prefill times of bench/pytorch/torch_transformer.py on an H200.
std::vector<double> transformer_errors(const std::string& phase, const std::string& launch) {
  const ExpectationData all = data();
  const Model llama = model("llama-3.1-8b");
  const System system =
      expected_system({.machine = machine("h200-sxm")}, find_engine(all, "pytorch"), all).system;
  const base::CsvFile csv(kData / "measured" / "h200_llm_transformer.csv");
  std::vector<double> errors;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    if (csv.field(i, "phase") != phase || csv.field(i, "launch") != launch) continue;
    const double batch = field(csv, i, "batch");
    const double tokens = field(csv, i, "tokens");
    const Pass pass = phase == "decode" ? decode_pass(batch, tokens) : prefill_pass(batch, tokens);
    errors.push_back(std::abs(predict_pass(llama, stored_formats(llama), pass, system).seconds() /
                                  field(csv, i, "seconds_median") -
                              1));
  }
  return errors;
}

}  // namespace

TEST_CASE("Hopper's figures are those of its measured kernels") {
  const ExpectationData all = data();
  const KernelCosts& costs = hopper(all);
  KernelRows linear = kernel_rows("linear");
  KernelRows small;
  for (std::size_t i = 0; i < linear.shapes.size(); ++i) {
    const double rows = std::stod(linear.shapes[i]);
    if (rows <= 64) {
      small.floor.push_back(linear.floor[i]);
      small.seconds.push_back(linear.seconds[i]);
    }
    if (rows < 2048) continue;
    double n = 0;
    double k = 0;
    REQUIRE(std::sscanf(linear.shapes[i].c_str(), "%*fx%lfx%lf", &k, &n) == 2);
    CHECK(2 * rows * n * k / linear.seconds[i] / 989.4e12 ==
          Approx(costs.reached.compute).epsilon(0.02));
  }
  const Line products = fit_line_robust(small.floor, small.seconds);
  CHECK(1 / products.slope == Approx(costs.reached.weights).epsilon(0.01));
  CHECK(products.intercept == Approx(costs.product_seconds).epsilon(0.02));
  const KernelRows attention = kernel_rows("attention");
  const Line decode = fit_line_robust(attention.floor, attention.seconds);
  CHECK(1 / decode.slope == Approx(costs.reached.kv).epsilon(0.01));
  CHECK(decode.intercept == Approx(costs.attention_seconds).epsilon(0.02));
  const KernelRows prefill = kernel_rows("prefill attention");
  std::vector<double> work;
  for (const double prompt : {512.0, 2048.0, 8192.0}) {
    work.push_back(4 * 4096 * prompt * (prompt + 1) / 2 / 989.4e12);
  }
  CHECK(1 / fit_line_robust(work, prefill.seconds).slope ==
        Approx(*costs.reached.attention).epsilon(0.01));
  // One token's glue is 19 kernels that do hardly anything.
  const base::CsvFile glue(kData / "measured" / "h200_torch_glue.csv");
  CHECK(field(glue, 0, "seconds_median") / 19 == Approx(costs.elementwise_seconds).epsilon(0.01));
}

TEST_CASE("the part of the bandwidth of PyTorch's element-wise kernels is that of its glue") {
  const ExpectationData all = data();
  const Engine& pytorch = find_engine(all, "pytorch");
  const base::CsvFile glue(kData / "measured" / "h200_torch_glue.csv");
  std::vector<double> tokens;
  std::vector<double> seconds;
  for (std::size_t i = 0; i < glue.size(); ++i) {
    if (field(glue, i, "batch") > 1) continue;
    tokens.push_back(field(glue, i, "tokens"));
    seconds.push_back(field(glue, i, "seconds_median"));
  }
  // Fused, the operators of Llama-3.1-8B move per token: norms 8 x 4096, rotation 2 x 4096 + 2048,
  // gate 3 x 14336 numbers of two bytes, and 4096 bytes to the cache.
  const double bytes = 2.0 * (8 * 4096 + 2 * 4096 + 2048 + 3 * 14336) + 4096;
  const double reached = bytes / fit_line_robust(tokens, seconds).slope / 4.8e12;
  CHECK(reached ==
        Approx(*pytorch.share.elementwise * *hopper(all).reached.elementwise).epsilon(0.05));
}

TEST_CASE("PyTorch in graphs on an H200: median error within 10 %, nothing fitted to these rows") {
  const auto decode = transformer_errors("decode", "graph");
  REQUIRE(decode.size() == 11);
  CHECK(median(decode) < 0.10);
  const auto prefill = transformer_errors("prefill", "eager");  // long enough to hide launches
  REQUIRE(prefill.size() == 5);
  CHECK(median(prefill) < 0.10);
}

TEST_CASE("published serving rows: median error within 15 %, each group by the others") {
  const ExpectationData all = data();
  const Engine& serving = find_engine(all, "serving");
  std::map<std::string, std::vector<Observation>> groups;
  for (const Observation& row : published()) {
    if (row.row.kind == "serving_decode") groups[group_of(row)].push_back(row);
  }
  REQUIRE(groups.size() == 5);
  // The only value of the engine that no kernel measured: the time of a step besides its kernels.
  const auto errors_with = [&](const std::vector<Observation>& rows, double step) {
    Engine engine = serving;
    engine.step_seconds = step;
    std::vector<double> errors;
    for (const Observation& row : rows) {
      errors.push_back(std::abs(std::log(expected_seconds(row, engine, all) / row.seconds)));
    }
    return errors;
  };
  std::vector<double> errors;
  std::vector<double> as_they_are;
  for (const auto& [name, rows] : groups) {
    std::vector<Observation> others;
    for (const auto& [other, more] : groups) {
      if (other != name) others.insert(others.end(), more.begin(), more.end());
    }
    double best = 0;
    double least = 1e9;
    for (double step = 0; step <= 3e-3; step += 1e-4) {
      const double error = median(errors_with(others, step));
      if (error < least) {
        least = error;
        best = step;
      }
    }
    const auto left_out = errors_with(rows, best);
    errors.insert(errors.end(), left_out.begin(), left_out.end());
    const auto stated = errors_with(rows, serving.step_seconds);
    as_they_are.insert(as_they_are.end(), stated.begin(), stated.end());
  }
  REQUIRE(errors.size() == 40);
  CHECK(median(errors) < 0.15);
  CHECK(median(as_they_are) < 0.15);
}

TEST_CASE("the bands hold four of five published rows") {
  const ExpectationData all = data();
  int inside = 0;
  int rows = 0;
  for (const Observation& row : published()) {
    const Engine* engine = engine_of_row(all, row.row.engine);
    if (!engine) continue;
    const ExpectedSystem expected = expected_system(row.system, *engine, all);
    const Band& band = row.prefill ? expected.prefill : expected.decode;
    const double time = expected_seconds(row, *engine, all);
    ++rows;
    inside += row.seconds >= band.low * time && row.seconds <= band.high * time;
  }
  REQUIRE(rows >= 140);
  CHECK(inside >= rows * 4 / 5);
}

TEST_CASE("at least 140 of the 154 public rows about inference are predicted") {
  CHECK(published().size() >= 140);
}

TEST_CASE("a measured report gives its own roofs: the read stream and the vendor's products") {
  const Machine measured = load_machine(kData / "measured" / "h200_roofs.json");
  CHECK(streaming_bandwidth(measured) == Approx(4591155292296.8).epsilon(1e-9));
  const double writes = 4673e9;  // the fastest of its streams, to the digits in the write-up
  CHECK(streaming_bandwidth(measured) < writes);
  CHECK(product_rate(measured, Precision::kBf16) == Approx(682370233284008.2).epsilon(1e-9));
  CHECK(best_peak(measured, Precision::kBf16).operations_per_second >
        product_rate(measured, Precision::kBf16));
  // No FP8 product was measured on it, so the machine does not have one.
  CHECK_THROWS_WITH(product_rate(measured, Precision::kFp8), Contains("no dense FP8"));
  const ExpectationData all = data();
  const Efficiencies reached =
      expected_system({.machine = measured}, all.engines.front(), all).system.efficiencies;
  CHECK(reached.weights == 1);
  CHECK(reached.compute == 1);
  CHECK(*reached.attention < 1);
}

TEST_CASE(
    "a report's bound takes the highest rate of products, its expectation the sustained one") {
  const Machine measured = load_machine(kData / "measured" / "h200_roofs_full.json");
  const ExpectationData all = data();
  const ExpectedSystem expected =
      expected_system({.machine = measured}, find_engine(all, "pytorch"), all);
  // bf16.gemm of the file, with and without rests.
  CHECK(product_rate(measured, Precision::kBf16) == Approx(786.804e12).epsilon(1e-5));
  CHECK(product_rate(expected.system.machine, Precision::kBf16) ==
        Approx(689.606e12).epsilon(1e-5));
}

TEST_CASE("a machine takes the kernels of its generation, and says what is borrowed") {
  const ExpectationData all = data();
  const auto id = [&](const char* name) { return kernels_of(all, machine(name)).id; };
  CHECK(id("h100-pcie") == "hopper");
  CHECK(id("a100-80gb-sxm") == "ampere");
  CHECK(id("rtx-3090") == "gddr");
  CHECK(id("mi300x") == "cdna");
  CHECK(id("v100-sxm2") == "other");
  CHECK(id("epyc-9554") == "cpu");
  const ExpectedSystem own =
      expected_system({.machine = machine("h200-sxm")}, all.engines.front(), all);
  const ExpectedSystem other =
      expected_system({.machine = machine("mi300x")}, all.engines.front(), all);
  CHECK(other.decode.high > own.decode.high);
  CHECK(other.decode.low < own.decode.low);
  CHECK_THAT(other.remarks.back(), Contains("borrowed"));
  CHECK_THROWS_WITH(find_engine(all, "abacus"), Contains("serving, pytorch"));
}

TEST_CASE("GeForce products sum in FP32; FP4 has its own peak where there is one") {
  CHECK(product_rate(machine("rtx-4090"), Precision::kFp16) == Approx(165e12));
  CHECK(best_peak(machine("rtx-4090"), Precision::kFp16).operations_per_second == Approx(330e12));
  CHECK(product_rate(machine("b200-hgx"), Precision::kFp4) == Approx(9e15));
  CHECK(product_rate(machine("mi355x"), Precision::kFp4) == Approx(10066e12));
  // One of the two devices of an MI250X is half of the card.
  CHECK(2 * bandwidth(machine("mi250x-gcd")) == Approx(bandwidth(machine("mi250x"))));
  CHECK(2 * product_rate(machine("mi250x-gcd"), Precision::kFp16) ==
        Approx(product_rate(machine("mi250x"), Precision::kFp16)));
}

TEST_CASE("one rule for formats: predict and validate compute a row alike") {
  for (const Observation& row : published()) {
    FormatChoice choice;
    choice.weights = row.formats.weights;
    choice.kv = row.formats.kv;
    const Formats chosen = choose_formats(row.model, row.system.machine, choice);
    CHECK(chosen.arithmetic == row.formats.arithmetic);
    CHECK(chosen.attention_arithmetic == row.formats.attention_arithmetic);
  }
  const Formats fp8 =
      choose_formats(model("llama-3.1-70b"), machine("h200-sxm"), {.weights = parse_format("fp8")});
  CHECK(fp8.arithmetic == Precision::kFp8);
  CHECK(fp8.attention_arithmetic == Precision::kBf16);
  const Formats ampere = choose_formats(model("llama-3.1-70b"), machine("a100-80gb-sxm"),
                                        {.weights = parse_format("fp8")});
  CHECK(ampere.arithmetic == Precision::kBf16);
  CHECK(choose_formats(model("llama-3.1-8b"), machine("t4"), {}).arithmetic == Precision::kFp16);
  CHECK(choose_formats(model("llama-3.1-8b"), machine("epyc-9554"), {}).arithmetic ==
        Precision::kFp32);
}

TEST_CASE("formats of published weights come from quantization_config") {
  const auto gigabytes = [&](const char* id) {
    const Model m = model(id);
    return weight_bytes(m, choose_formats(m, machine("h200-sxm"), {})) / 1e9;
  };
  // The files of the checkpoints: 65.25 GB (original MXFP4), 13.76 GB, 688.6 GB minus the layer
  // that predicts further tokens.
  CHECK(gigabytes("gpt-oss-120b") == Approx(65.25).epsilon(0.01));
  CHECK(gigabytes("gpt-oss-20b") == Approx(13.76).epsilon(0.01));
  CHECK(gigabytes("deepseek-v3") == Approx(673).epsilon(0.01));
}

TEST_CASE("broken tables are refused with the line") {
  const base::CsvFile whole(kData / "expected" / "engines.csv");
  CHECK(whole.size() == 4);
  CHECK_THROWS_WITH(load_expectations(kData), Contains("kernels.csv"));
}
