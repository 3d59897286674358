// SPDX-License-Identifier: MIT
// Drawing and reading requests.
#include "roofline/serve/workload.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "base/csv.hpp"
#include "base/splitmix64.hpp"
#include "roofline/checks.hpp"

namespace roofline::serve {
namespace {

constexpr double kMostTokens = 1 << 24;

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (;;) {
    const std::size_t end = text.find(':', start);
    parts.emplace_back(text.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

bool to_number(const std::string& text, double& value) {
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value, std::chars_format::fixed);
  return error == std::errc() && end == last && std::isfinite(value);
}

double number_in(const std::string& text, std::string_view whole, double most) {
  double value = 0;
  if (!to_number(text, value) || value <= 0 || value > most) {
    throw std::invalid_argument("'" + text + "' in the lengths '" + std::string(whole) +
                                "' is not a number above zero and up to 2^24");
  }
  return value;
}

double number_of(const base::CsvFile& csv, std::size_t row, const std::string& column) {
  double value = 0;
  if (!to_number(csv.field(row, column), value) || value < 0) {
    csv.fail(row, column + " is '" + csv.field(row, column) + "', not a number from 0 on");
  }
  return value;
}

/// Days since 1970-01-01 (Howard Hinnant, "chrono-compatible low-level date algorithms").
std::int64_t days_of(std::int64_t year, unsigned month, unsigned day) {
  year -= month <= 2;
  const std::int64_t era = year / 400;
  const auto year_of_era = static_cast<unsigned>(year - era * 400);
  const unsigned day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const unsigned day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + static_cast<std::int64_t>(day_of_era) - 719468;
}

/// "2023-11-16 18:17:03.9799600", in seconds.
double date_time(const base::CsvFile& csv, std::size_t row, const std::string& column) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  double hour = 0;
  double minute = 0;
  double second = 0;
  if (std::sscanf(csv.field(row, column).c_str(), "%d-%u-%u%*[ T]%lf:%lf:%lf", &year, &month, &day,
                  &hour, &minute, &second) != 6 ||
      month < 1 || month > 12 || day < 1 || day > 31) {
    csv.fail(row, column + " is '" + csv.field(row, column) +
                      "', not a date and time such as 2023-11-16 18:17:03.98");
  }
  return static_cast<double>(days_of(year, month, day)) * 86400 + hour * 3600 + minute * 60 +
         second;
}

std::int64_t tokens_of(const base::CsvFile& csv, std::size_t row, const std::string& column) {
  const double value = number_of(csv, row, column);
  if (value != std::floor(value) || value > kMostTokens) {
    csv.fail(row, column + " is '" + csv.field(row, column) + "', not whole tokens up to 2^24");
  }
  return static_cast<std::int64_t>(value);
}

Request request_of(const base::CsvFile& csv, std::size_t row) {
  Request request;
  if (csv.has("ContextTokens")) {
    request.arrival = date_time(csv, row, "TIMESTAMP");
    request.prompt = tokens_of(csv, row, "ContextTokens");
    request.output = tokens_of(csv, row, "GeneratedTokens");
  } else if (csv.has("Request tokens")) {
    request.arrival = number_of(csv, row, "Timestamp");
    request.prompt = tokens_of(csv, row, "Request tokens");
    request.output = tokens_of(csv, row, "Response tokens");
  } else {
    request.arrival = number_of(csv, row, "arrival");
    request.prompt = tokens_of(csv, row, "prompt");
    request.output = tokens_of(csv, row, "output");
    if (csv.has("prefix") && !csv.field(row, "prefix").empty()) {
      request.prefix_group = tokens_of(csv, row, "prefix_group");
      request.prefix = std::min(request.prompt, tokens_of(csv, row, "prefix"));
    }
  }
  return request;
}

}  // namespace

std::uint64_t Random::bits() {
  return base::splitmix64(state_);
}

double Random::uniform() {
  return static_cast<double>(bits() >> 11) * 0x1p-53;
}

double Random::exponential() {
  return -std::log1p(-uniform());
}

double Random::normal() {
  const double radius = std::sqrt(2 * exponential());
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

std::int64_t Lengths::draw(Random& random) const {
  double value = first;
  if (shape == Shape::kUniform) value = first + std::floor(random.uniform() * (second - first + 1));
  if (shape == Shape::kExponential) value = first * random.exponential();
  if (shape == Shape::kLognormal) {
    const double variance = std::log1p(second * second);
    value = first * std::exp(std::sqrt(variance) * random.normal() - variance / 2);
  }
  return static_cast<std::int64_t>(std::clamp(std::round(value), 1.0, kMostTokens));
}

double Lengths::mean() const {
  return shape == Shape::kUniform ? (first + second) / 2 : first;
}

Lengths parse_lengths(std::string_view text) {
  const std::vector<std::string> parts = parts_of(text);
  if (parts.size() == 1) return {Lengths::Shape::kFixed, number_in(parts[0], text, kMostTokens), 0};
  const std::string& name = parts[0];
  if (name == "exponential" && parts.size() == 2) {
    return {Lengths::Shape::kExponential, number_in(parts[1], text, kMostTokens), 0};
  }
  if ((name == "uniform" || name == "lognormal") && parts.size() == 3) {
    const Lengths lengths{name == "uniform" ? Lengths::Shape::kUniform : Lengths::Shape::kLognormal,
                          number_in(parts[1], text, kMostTokens),
                          number_in(parts[2], text, kMostTokens)};
    if (name == "uniform" && lengths.second < lengths.first) {
      throw std::invalid_argument("the lengths '" + std::string(text) + "' end before they begin");
    }
    return lengths;
  }
  throw std::invalid_argument("'" + std::string(text) +
                              "' is not a distribution of lengths; write 512, uniform:100:900, "
                              "exponential:300 or lognormal:1000:0.8");
}

std::vector<Request> draw_requests(const Workload& workload) {
  require_positive(workload.requests_per_second, "requests per second");
  require_positive(static_cast<double>(workload.requests), "number of requests");
  if (workload.burstiness != 0 && workload.burstiness != 1) {
    throw std::invalid_argument("arrivals are Poisson (burstiness 1) or steady (0)");
  }
  // Separate random streams, so that a different rate still gets the same lengths.
  Random gaps(workload.seed);
  Random lengths(~workload.seed);
  std::vector<Request> requests(static_cast<std::size_t>(workload.requests));
  double now = 0;
  for (Request& request : requests) {
    now += (workload.burstiness == 1 ? gaps.exponential() : 1) / workload.requests_per_second;
    request.arrival = now;
    request.prompt = workload.prompt.draw(lengths) + workload.prefix;
    request.output = workload.output.draw(lengths);
    if (workload.prefix_groups > 0) {
      request.prefix_group = static_cast<std::int64_t>(lengths.uniform() *
                                                       static_cast<double>(workload.prefix_groups));
      request.prefix = workload.prefix;
    }
  }
  return requests;
}

std::vector<Request> read_trace(const std::filesystem::path& file, double speed_up) {
  require_positive(speed_up, "speed-up of the trace");
  const base::CsvFile csv(file);
  std::vector<Request> requests;
  for (std::size_t row = 0; row < csv.size(); ++row) {
    const Request request = request_of(csv, row);
    if (request.prompt > 0 && request.output > 0) requests.push_back(request);
  }
  if (requests.empty()) throw std::runtime_error(file.string() + ": no request with tokens");
  std::stable_sort(requests.begin(), requests.end(),
                   [](const Request& a, const Request& b) { return a.arrival < b.arrival; });
  const double begin = requests.front().arrival;
  for (Request& request : requests) request.arrival = (request.arrival - begin) / speed_up;
  return requests;
}

}  // namespace roofline::serve
