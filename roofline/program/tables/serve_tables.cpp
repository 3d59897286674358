// SPDX-License-Identifier: MIT
// The tables of a simulated run and of a sweep.
#include "serve_tables.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include "paragraph.hpp"
#include "roofline/units.hpp"

namespace roofline::program {
namespace {

using namespace serve;

constexpr double kPercent = 100;

std::string time_text(double seconds) {
  return format_quantity(seconds, kSeconds, 3);
}

void print_percentiles(const char* what, const Percentiles& p) {
  std::printf("%-24s%10s%10s%10s%10s%10s\n", what, time_text(p.mean).c_str(),
              time_text(p.p50).c_str(), time_text(p.p90).c_str(), time_text(p.p95).c_str(),
              time_text(p.p99).c_str());
}

bool any(const Limits& limits) {
  return limits.time_to_first_token || limits.time_per_output_token || limits.end_to_end;
}

void print_cost(const Summary& s) {
  if (s.dollars_per_million_tokens) {
    std::printf("cost                    $%.3f per million output tokens\n",
                *s.dollars_per_million_tokens);
  }
  if (s.joules_per_token) {
    std::printf("energy                  %.3g J per output token\n", *s.joules_per_token);
  }
}

}  // namespace

void print_summary(const Summary& s, const Limits& limits) {
  std::printf("%-24s%10s%10s%10s%10s%10s\n", "", "mean", "p50", "p90", "p95", "p99");
  print_percentiles("time to first token", s.time_to_first_token);
  print_percentiles("time per output token", s.time_per_output_token);
  print_percentiles("end to end", s.end_to_end);
  std::printf("\nrequests                %lld in %s: %.4g a second\n",
              static_cast<long long>(s.finished), time_text(s.seconds).c_str(),
              s.requests_per_second);
  if (s.refused > 0) {
    std::printf("refused                 %lld: they can never fit into the cache\n",
                static_cast<long long>(s.refused));
  }
  std::printf("output tokens/s         %.1f, %.1f per GPU on %.0f\n", s.output_tokens_per_second,
              s.tokens_per_second_per_gpu, s.gpus);
  if (any(limits)) {
    std::printf("goodput                 %.4g requests a second: %.1f %% are within the limits\n",
                s.good_requests_per_second, kPercent * s.good_part);
  }
  std::printf("in the system           %.4g on average; %.4g decode in a step\n", s.mean_in_system,
              s.mean_batch);
  std::printf("a step runs             %.1f %% of the time\n", kPercent * s.busy_part);
  std::printf("cache                   at most %.1f %%, %lld preemptions\n",
              kPercent * s.most_cache_used, static_cast<long long>(s.preemptions));
  if (s.prefix_part > 0) {
    std::printf("prefix cache            saved %.1f %% of the prompt tokens\n",
                kPercent * s.prefix_part);
  }
  print_cost(s);
}

void print_memory_over_time(const Run& run) {
  constexpr std::size_t kLines = 20;
  constexpr int kBar = 40;
  const std::size_t step = std::max<std::size_t>(1, run.samples.size() / kLines);
  std::printf("\n%10s %8s %8s  cache\n", "time", "running", "waiting");
  for (std::size_t i = 0; i < run.samples.size(); i += step) {
    const Sample& sample = run.samples[i];
    const int filled = static_cast<int>(kBar * std::min(1.0, sample.cache_used) + 0.5);
    std::printf("%10s %8lld %8lld  %s%s %3.0f %%\n", time_text(sample.seconds).c_str(),
                static_cast<long long>(sample.running), static_cast<long long>(sample.waiting),
                std::string(static_cast<std::size_t>(filled), '#').c_str(),
                std::string(static_cast<std::size_t>(kBar - filled), '.').c_str(),
                kPercent * sample.cache_used);
  }
}

void print_sweep(const std::vector<Point>& points, double part, bool limited) {
  std::fputs(frontier_terminal(points).c_str(), stdout);
  std::map<std::string, int> problems;
  for (const Point& point : points) {
    if (!point.problem.empty()) ++problems[point.problem];
  }
  for (const auto& [problem, count] : problems) {
    print_paragraph(std::to_string(count) + " not run: " + problem);
  }
  if (!limited) return;
  const Point* best = best_point(points, part);
  if (!best) {
    std::printf("No configuration meets the limits for %.1f %% of its requests.\n",
                kPercent * part);
    return;
  }
  std::printf("Best that meets the limits for %.1f %% of its requests:\n  %s\n", kPercent * part,
              best->label.c_str());
  const Summary& s = best->summary;
  std::printf("  TTFT p99 %s, TPOT p99 %s, %.0f tokens/s per GPU\n",
              time_text(s.time_to_first_token.p99).c_str(),
              time_text(s.time_per_output_token.p99).c_str(), s.tokens_per_second_per_gpu);
  print_cost(s);
}

}  // namespace roofline::program
