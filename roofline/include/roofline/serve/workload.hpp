// SPDX-License-Identifier: MIT
// Requests that arrive at a serving system: drawn from distributions, or read from a trace.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace roofline::serve {

/// Random numbers that are the same with every compiler and library (the distributions of the
/// standard library are not): SplitMix64, Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits();
  double uniform();      ///< in [0, 1)
  double exponential();  ///< of mean 1
  double normal();       ///< of mean 0 and deviation 1

 private:
  std::uint64_t state_;
};

/// A distribution of lengths in tokens, at least 1.
struct Lengths {
  enum class Shape { kFixed, kUniform, kExponential, kLognormal };
  Shape shape = Shape::kFixed;
  double first = 1;   ///< the length, the minimum, or the mean
  double second = 0;  ///< of kUniform the maximum, of kLognormal deviation over mean

  std::int64_t draw(Random& random) const;
  double mean() const;
};

/// Parses a distribution: "512", "uniform:100:900", "exponential:300", "lognormal:1000:0.8" (mean,
/// and standard deviation over mean). Throws std::invalid_argument saying what is wrong.
Lengths parse_lengths(std::string_view text);

struct Request {
  double arrival = 0;  ///< seconds from the start
  std::int64_t prompt = 1;
  std::int64_t output = 1;
  std::int64_t prefix_group = -1;  ///< requests of a group start with the same tokens; -1: none
  std::int64_t prefix = 0;         ///< number of these tokens in the prompt
};

/// How requests are drawn.
struct Workload {
  double requests_per_second = 1;
  /// Squared coefficient of variation of the time between arrivals: 1 is Poisson, 0 equal
  /// intervals.
  double burstiness = 1;
  Lengths prompt;
  Lengths output;
  std::int64_t prefix_groups = 0;
  std::int64_t prefix = 0;  ///< tokens that start every prompt of a group, in addition to its own
  std::int64_t requests = 1000;
  std::uint64_t seed = 1;
};

/// Draws requests, ordered by arrival; the same for the same workload. Throws std::invalid_argument
/// for a rate that is not above zero, a burstiness other than 0 or 1, or fewer than one request.
std::vector<Request> draw_requests(const Workload& workload);

/// Reads a trace, a CSV file with a header line of one of these forms:
///   arrival,prompt,output[,prefix_group,prefix]  seconds and tokens
///   TIMESTAMP,ContextTokens,GeneratedTokens      Azure LLM inference traces (date and time)
///   Timestamp,Model,Request tokens,Response tokens,...   BurstGPT (seconds)
/// Times count from the first row and are divided by `speed_up`; rows without tokens are left out.
/// Throws std::runtime_error naming file, line and column of what is malformed.
std::vector<Request> read_trace(const std::filesystem::path& file, double speed_up = 1);

}  // namespace roofline::serve
