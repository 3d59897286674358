// SPDX-License-Identifier: MIT
// Drawn lengths and arrivals, and traces in the formats of public ones.
#include "roofline/serve/workload.hpp"

#include <cmath>

#include "base/files.hpp"
#include "roofline/measurement.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace roofline::serve;
using Catch::Matchers::Contains;

class Trace {
 public:
  explicit Trace(const std::string& text)
      : path_(support::scratch_folder() / "roofline-serve-trace.csv") {
    base::write_file_atomically(path_, text);
  }
  ~Trace() { std::filesystem::remove(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct Moments {
  double mean = 0;
  double deviation = 0;
};

Moments moments_of(const Lengths& lengths) {
  constexpr int kDraws = 200000;
  Random random(3);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const auto value = static_cast<double>(lengths.draw(random));
    sum += value;
    squares += value * value;
  }
  const double mean = sum / kDraws;
  return {mean, std::sqrt(squares / kDraws - mean * mean)};
}

}  // namespace

TEST_CASE("SplitMix64 gives its published numbers") {
  // The first three numbers for the state 1234567, as in the reference implementation's tests.
  Random random(1234567);
  CHECK(random.bits() == 6457827717110365317U);
  CHECK(random.bits() == 3203168211198807973U);
  CHECK(random.bits() == 9817491932198370423U);
}

TEST_CASE("lengths have the mean and the deviation that their distribution says") {
  CHECK(moments_of(parse_lengths("512")).deviation == Approx(0).margin(1e-6));
  const Moments uniform = moments_of(parse_lengths("uniform:100:900"));
  CHECK(uniform.mean == Approx(500).epsilon(0.005));
  CHECK(uniform.deviation == Approx(801 / std::sqrt(12)).epsilon(0.01));
  const Moments exponential = moments_of(parse_lengths("exponential:300"));
  CHECK(exponential.mean == Approx(300).epsilon(0.01));
  CHECK(exponential.deviation == Approx(300).epsilon(0.01));
  const Moments lognormal = moments_of(parse_lengths("lognormal:1000:0.8"));
  CHECK(lognormal.mean == Approx(1000).epsilon(0.01));
  CHECK(lognormal.deviation == Approx(800).epsilon(0.03));
  for (const char* wrong : {"", "0", "-5", "1e3", "many", "uniform:5", "uniform:9:5", "normal:5:1",
                            "exponential:1:2", "99999999999"}) {
    INFO(wrong);
    CHECK_THROWS_WITH(parse_lengths(wrong), Contains("lengths"));
  }
}

TEST_CASE("Poisson arrivals: gaps of mean and deviation one over the rate") {
  Workload workload;
  workload.requests_per_second = 20;
  workload.requests = 100000;
  const auto requests = draw_requests(workload);
  double squares = 0;
  double before = 0;
  for (const Request& request : requests) {
    squares += (request.arrival - before) * (request.arrival - before);
    before = request.arrival;
  }
  const double mean = before / 100000;
  CHECK(mean == Approx(0.05).epsilon(0.01));
  CHECK(std::sqrt(squares / 100000 - mean * mean) == Approx(0.05).epsilon(0.02));
  workload.requests_per_second = 40;
  const auto faster = draw_requests(workload);
  CHECK(faster[500].arrival == Approx(requests[500].arrival / 2));
  CHECK(faster[500].prompt == requests[500].prompt);
}

TEST_CASE("traces are read in three forms") {
  const Trace own("arrival,prompt,output\n1.5,10,20\n0.5,30,40\n");
  const auto first = read_trace(own.path());
  REQUIRE(first.size() == 2);
  CHECK(first[0].prompt == 30);
  CHECK(first[1].arrival == Approx(1));
  const Trace azure(
      "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-30 23:59:59.5000000,4808,10\n"
      "2023-12-01 00:00:02.0000000,110,27\n");
  const auto second = read_trace(azure.path(), 2.5);
  CHECK(second[1].arrival == Approx(1));
  CHECK(second[0].prompt == 4808);
  const Trace burst(
      "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
      "5,ChatGPT,472,18,490,Conversation log\n45,ChatGPT,1087,0,1087,Conversation log\n"
      "118,GPT-4,417,276,693,Conversation log\n");
  const auto third = read_trace(burst.path());
  REQUIRE(third.size() == 2);  // the one without an answer is left out
  CHECK(third[1].arrival == Approx(113));
  CHECK(third[1].output == 276);
  const Trace shared("arrival,prompt,output,prefix_group,prefix\n0,100,5,2,80\n1,100,5,,\n");
  CHECK(read_trace(shared.path())[0].prefix == 80);
  CHECK(read_trace(shared.path())[1].prefix_group == -1);
}

TEST_CASE("mistakes in a trace are found with line and column") {
  const auto refused = [](const std::string& text) {
    const Trace trace(text);
    try {
      read_trace(trace.path());
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK_THAT(refused("arrival,prompt,output\n0,10,x\n"), Contains(":2:") && Contains("output"));
  CHECK_THAT(refused("arrival,prompt,output\n0,10.5,1\n"), Contains("whole tokens"));
  CHECK_THAT(refused("arrival,prompt,output\n0,0,0\n"), Contains("no request"));
  CHECK_THAT(refused("when,prompt,output\n0,1,1\n"), Contains("arrival"));
  CHECK_THAT(refused("TIMESTAMP,ContextTokens,GeneratedTokens\nnoon,1,1\n"),
             Contains("date and time"));
}
