// SPDX-License-Identifier: MIT
// Runs many configurations in parallel and finds the best.
#include <algorithm>
#include <atomic>
#include <exception>
#include <sstream>
#include <thread>

#include "roofline/serve/deployment.hpp"

namespace roofline::serve {
namespace {

bool ran(const Point& point) {
  return point.problem.empty() && point.summary.finished > 0;
}

bool beats(const Summary& a, const Summary& b) {
  return a.tokens_per_second_per_user >= b.tokens_per_second_per_user &&
         a.tokens_per_second_per_gpu >= b.tokens_per_second_per_gpu &&
         (a.tokens_per_second_per_user > b.tokens_per_second_per_user ||
          a.tokens_per_second_per_gpu > b.tokens_per_second_per_gpu);
}

void mark_frontier(std::vector<Point>& points) {
  for (Point& point : points) {
    point.on_frontier =
        ran(point) && std::none_of(points.begin(), points.end(), [&](const Point& other) {
          return ran(other) && beats(other.summary, point.summary);
        });
  }
}

/// True if `a` is the better buy.
bool cheaper(const Summary& a, const Summary& b) {
  if (a.dollars_per_million_tokens && b.dollars_per_million_tokens) {
    return *a.dollars_per_million_tokens < *b.dollars_per_million_tokens;
  }
  return a.tokens_per_second_per_gpu > b.tokens_per_second_per_gpu;
}

}  // namespace

std::vector<Point> sweep(const std::vector<Trial>& trials, unsigned threads) {
  std::vector<Point> points(trials.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < trials.size(); i = next++) {
      points[i].label = trials[i].label;
      try {
        points[i].summary = trials[i].run();
      } catch (const std::exception& error) {
        points[i].problem = error.what();
      }
    }
  };
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < std::min<std::size_t>(threads, trials.size()); ++i) {
      workers.emplace_back(work);
    }
  }
  mark_frontier(points);
  return points;
}

const Point* best_point(const std::vector<Point>& points, double part) {
  const Point* best = nullptr;
  for (const Point& point : points) {
    if (!ran(point) || point.summary.good_part < part) continue;
    if (!best || cheaper(point.summary, best->summary)) best = &point;
  }
  return best;
}

std::string sweep_csv(const std::vector<Point>& points) {
  constexpr int kDigits = 8;
  std::ostringstream csv;
  csv.precision(kDigits);
  csv << "configuration,gpus,tokens_per_second_per_user,tokens_per_second_per_gpu,"
         "time_to_first_token_p50,time_to_first_token_p99,time_per_output_token_p50,"
         "time_per_output_token_p99,end_to_end_p99,good_part,dollars_per_million_tokens,"
         "joules_per_token,frontier,problem\n";
  for (const Point& point : points) {
    const Summary& s = point.summary;
    csv << '"' << point.label << "\"," << s.gpus << ',' << s.tokens_per_second_per_user << ','
        << s.tokens_per_second_per_gpu << ',' << s.time_to_first_token.p50 << ','
        << s.time_to_first_token.p99 << ',' << s.time_per_output_token.p50 << ','
        << s.time_per_output_token.p99 << ',' << s.end_to_end.p99 << ',' << s.good_part << ',';
    if (s.dollars_per_million_tokens) csv << *s.dollars_per_million_tokens;
    csv << ',';
    if (s.joules_per_token) csv << *s.joules_per_token;
    csv << ',' << point.on_frontier << ",\"" << point.problem << "\"\n";
  }
  return csv.str();
}

}  // namespace roofline::serve
