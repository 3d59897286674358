// SPDX-License-Identifier: MIT
// The simulation compared with published measurements of serving, without any fitting.
#include "base/csv.hpp"
#include "course_data.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/serve/deployment.hpp"
#include "support/catch.hpp"

namespace {

using namespace roofline;
using namespace roofline::serve;

Summary simulated(const base::CsvFile& csv, std::size_t row) {
  const auto number = [&](const char* column) { return std::stod(csv.field(row, column)); };
  const llm::ExpectationData data = llm::load_expectations(kData / "expected");
  Deployment deployment;
  deployment.model = model(csv.field(row, "model"));
  const llm::System bare{.machine = machine(csv.field(row, "machine"))};
  deployment.group.system = llm::expected_system(bare, data.engines.front(), data).system;
  deployment.formats = llm::choose_formats(
      deployment.model, bare.machine, {.weights = llm::parse_format(csv.field(row, "weights"))});
  // The two engines' defaults on such a GPU: up to 1024 sequences, 8192 tokens per step.
  deployment.scheduler.most_sequences = 1024;
  deployment.scheduler.most_tokens = 8192;
  deployment.most_in_flight = static_cast<std::int64_t>(number("users"));
  Workload workload;
  workload.requests_per_second = 1e6;
  workload.requests = static_cast<std::int64_t>(number("requests"));
  workload.prompt = parse_lengths(csv.field(row, "prompt"));
  workload.output = parse_lengths(csv.field(row, "output"));
  const auto requests = draw_requests(workload);
  const System system = system_of(deployment, longest_of(requests));
  return summarize_run(requests, simulate(requests, system), system, {}, {}, 1);
}

/// Simulated over measured.
struct Ratios {
  std::vector<double> seconds;
  std::vector<double> first_median;
  std::vector<double> first_99;
  std::vector<double> token_median;
  std::vector<double> token_99;
};

/// All runs of one kind of load: `users` who each wait for their answers, or 0 for all requests at
/// once.
Ratios ratios_of(const std::string& users, const std::string& machine) {
  const base::CsvFile csv(kData / "measured" / "serving_published.csv");
  Ratios ratios;
  for (std::size_t row = 0; row < csv.size(); ++row) {
    // 44 requests per second of four tokens each are limited by the front end, which is not
    // simulated.
    if (csv.field(row, "id") == "s4") continue;
    if (csv.field(row, "users") != users || csv.field(row, "machine") != machine) continue;
    const Summary s = simulated(csv, row);
    const auto ratio = [&](const char* column, double value) {
      return value / std::stod(csv.field(row, column));
    };
    ratios.seconds.push_back(ratio("seconds", s.seconds));
    ratios.first_median.push_back(ratio("ttft_p50", s.time_to_first_token.p50));
    ratios.first_99.push_back(ratio("ttft_p99", s.time_to_first_token.p99));
    ratios.token_median.push_back(ratio("tpot_p50", s.time_per_output_token.p50));
    ratios.token_99.push_back(ratio("tpot_p99", s.time_per_output_token.p99));
  }
  return ratios;
}

double median(std::vector<double> values) {
  return percentiles_of(std::move(values)).p50;
}

}  // namespace

// What holds and what does not; docs/pages/tool_roofline.md says the same. Nothing is fitted.
TEST_CASE("four users on an H100: tokens as published, first tokens without the front end") {
  const Ratios ratios = ratios_of("4", "h100-sxm");
  REQUIRE(ratios.seconds.size() == 4);
  CHECK(median(ratios.token_median) == Approx(1).epsilon(0.15));
  CHECK(median(ratios.token_99) == Approx(1).epsilon(0.30));
  CHECK(median(ratios.seconds) == Approx(1).epsilon(0.20));
  for (const double ratio : ratios.first_median) CHECK(ratio < 0.7);
}

TEST_CASE("all requests at once on an A100: within two fifths, always on the fast side") {
  const Ratios ratios = ratios_of("0", "a100-80gb-sxm");
  REQUIRE(ratios.seconds.size() == 6);
  for (const auto* values : {&ratios.seconds, &ratios.first_median, &ratios.first_99}) {
    for (const double ratio : *values) {
      CHECK(ratio > 0.55);
      CHECK(ratio < 1.0);
    }
  }
  CHECK(median(ratios.seconds) > 0.6);
}

TEST_CASE("all requests at once on an H100: these runs took about twice as long") {
  const Ratios ratios = ratios_of("0", "h100-sxm");
  REQUIRE(ratios.seconds.size() == 6);
  // 23 % of the peak, while prefills of TensorRT-LLM in llm_measured.csv reach 43 to 55 %.
  CHECK(median(ratios.seconds) == Approx(0.5).epsilon(0.1));
}
