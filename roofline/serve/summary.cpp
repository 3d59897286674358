// SPDX-License-Identifier: MIT
// Figures of a run.
#include "roofline/serve/summary.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "roofline/measurement.hpp"

namespace roofline::serve {
namespace {

using nlohmann::json;

bool keeps(const std::optional<double>& limit, double value) {
  return !limit || value <= *limit;
}

json percentiles_json(const Percentiles& p) {
  return {{"mean", p.mean}, {"p50", p.p50}, {"p90", p.p90},
          {"p95", p.p95},   {"p99", p.p99}, {"max", p.most}};
}

json optional_json(const std::optional<double>& value) {
  return value ? json(*value) : json(nullptr);
}

}  // namespace

Percentiles percentiles_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return {std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()),
          percentile(values, 0.50),
          percentile(values, 0.90),
          percentile(values, 0.95),
          percentile(values, 0.99),
          values.back()};
}

Summary summarize_run(const std::vector<Request>& requests, const Run& run, const System& system,
                      const Limits& limits, const Prices& prices, double gpus) {
  Summary summary;
  std::vector<double> first;
  std::vector<double> each;
  std::vector<double> whole;
  double output_tokens = 0;
  double prompt_tokens = 0;
  double good = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Outcome& outcome = run.outcomes[i];
    prompt_tokens += static_cast<double>(requests[i].prompt);
    summary.refused += outcome.refused;
    if (outcome.finish < 0) continue;
    ++summary.finished;
    output_tokens += static_cast<double>(requests[i].output);
    first.push_back(outcome.first_token - outcome.arrival);
    whole.push_back(outcome.finish - outcome.arrival);
    double per_token = 0;
    if (requests[i].output > 1) {
      per_token =
          (outcome.finish - outcome.first_token) / static_cast<double>(requests[i].output - 1);
      each.push_back(per_token);
    }
    good += keeps(limits.time_to_first_token, first.back()) &&
            keeps(limits.time_per_output_token, per_token) &&
            keeps(limits.end_to_end, whole.back());
  }
  const double count = static_cast<double>(requests.size());
  summary.requests = static_cast<std::int64_t>(requests.size());
  summary.seconds = run.seconds;
  summary.gpus = gpus;
  summary.time_to_first_token = percentiles_of(std::move(first));
  summary.time_per_output_token = percentiles_of(std::move(each));
  summary.end_to_end = percentiles_of(std::move(whole));
  const double seconds = std::max(run.seconds, 1e-12);
  summary.requests_per_second = static_cast<double>(summary.finished) / seconds;
  summary.output_tokens_per_second = output_tokens / seconds;
  summary.tokens_per_second_per_gpu = summary.output_tokens_per_second / gpus;
  if (summary.time_per_output_token.p50 > 0) {
    summary.tokens_per_second_per_user = 1 / summary.time_per_output_token.p50;
  }
  summary.good_part = good / count;
  summary.good_requests_per_second = good / seconds;
  summary.mean_in_system = run.sequence_seconds / seconds;
  const double instances = system.pool.instances + (system.decode ? system.decode->instances : 0);
  const double busy = run.pool.busy_seconds + run.decode.busy_seconds;
  summary.busy_part = busy / (instances * seconds);
  const PoolWork& decoding = system.decode ? run.decode : run.pool;
  if (decoding.steps > 0) {
    summary.mean_batch = decoding.decode_sequences / static_cast<double>(decoding.steps);
  }
  for (const Sample& sample : run.samples) {
    summary.most_cache_used = std::max(summary.most_cache_used, sample.cache_used);
  }
  summary.preemptions = run.preemptions;
  summary.prefix_part = static_cast<double>(run.prefix_tokens) / prompt_tokens;
  if (output_tokens > 0 && prices.dollars_per_hour) {
    summary.dollars_per_million_tokens =
        *prices.dollars_per_hour * gpus * seconds / 3600 / output_tokens * 1e6;
  }
  if (output_tokens > 0 && prices.watts) {
    const double working = summary.busy_part;
    const double watts = *prices.watts * working + prices.idle_watts.value_or(0) * (1 - working);
    summary.joules_per_token = watts * gpus * seconds / output_tokens;
  }
  return summary;
}

std::string summary_json(const Summary& s, const Run& run) {
  json samples = json::array();
  for (const Sample& sample : run.samples) {
    samples.push_back({{"seconds", sample.seconds},
                       {"cache_used", sample.cache_used},
                       {"running", sample.running},
                       {"waiting", sample.waiting}});
  }
  const json value = {{"schema", "roofline.serving"},
                      {"version", 1},
                      {"requests", s.requests},
                      {"finished", s.finished},
                      {"refused", s.refused},
                      {"seconds", s.seconds},
                      {"gpus", s.gpus},
                      {"time_to_first_token_seconds", percentiles_json(s.time_to_first_token)},
                      {"time_per_output_token_seconds", percentiles_json(s.time_per_output_token)},
                      {"end_to_end_seconds", percentiles_json(s.end_to_end)},
                      {"requests_per_second", s.requests_per_second},
                      {"output_tokens_per_second", s.output_tokens_per_second},
                      {"tokens_per_second_per_gpu", s.tokens_per_second_per_gpu},
                      {"tokens_per_second_per_user", s.tokens_per_second_per_user},
                      {"good_part", s.good_part},
                      {"good_requests_per_second", s.good_requests_per_second},
                      {"mean_in_system", s.mean_in_system},
                      {"busy_part", s.busy_part},
                      {"mean_batch", s.mean_batch},
                      {"most_cache_used", s.most_cache_used},
                      {"preemptions", s.preemptions},
                      {"prefix_part", s.prefix_part},
                      {"dollars_per_million_tokens", optional_json(s.dollars_per_million_tokens)},
                      {"joules_per_token", optional_json(s.joules_per_token)},
                      {"samples", std::move(samples)}};
  return value.dump(2) + "\n";
}

std::string requests_csv(const std::vector<Request>& requests, const Run& run) {
  constexpr int kDigits = 12;
  std::ostringstream csv;
  csv.precision(kDigits);
  csv << "arrival,prompt,output,first_token,finish,preemptions,refused\n";
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Outcome& outcome = run.outcomes[i];
    csv << outcome.arrival << ',' << requests[i].prompt << ',' << requests[i].output << ','
        << outcome.first_token << ',' << outcome.finish << ',' << outcome.preemptions << ','
        << outcome.refused << '\n';
  }
  return csv.str();
}

}  // namespace roofline::serve
