// SPDX-License-Identifier: MIT
// The simulation compared with queues whose waiting times are known in closed form.

#include "roofline/serve/simulate.hpp"
#include "roofline/serve/summary.hpp"
#include "support/catch.hpp"

namespace {

using namespace roofline::serve;

/// A server that answers one request at a time, each in `seconds`.
System one_at_a_time(double seconds) {
  System system;
  system.pool.costs = StepCosts::constant(seconds);
  system.pool.scheduler.most_sequences = 1;
  return system;
}

Summary summary_of(const std::vector<Request>& requests, const System& system) {
  return summarize_run(requests, simulate(requests, system), system, {}, {}, 1);
}

Workload arrivals(double rate, std::int64_t requests) {
  Workload workload;
  workload.requests_per_second = rate;
  workload.requests = requests;
  return workload;
}

}  // namespace

TEST_CASE("M/D/1: the mean wait is that of Pollaczek and Khinchine") {
  constexpr double kService = 0.01;
  for (const double load : {0.3, 0.6, 0.8, 0.9}) {
    INFO("load " << load);
    const auto requests = draw_requests(arrivals(load / kService, 400000));
    const Summary summary = summary_of(requests, one_at_a_time(kService));
    const double wait = load * kService / (2 * (1 - load));
    CHECK(summary.end_to_end.mean == Approx(kService + wait).epsilon(0.03));
    CHECK(summary.busy_part == Approx(load).epsilon(0.01));
  }
}

TEST_CASE("M/D/1: the part that need not wait is 1 - load") {
  constexpr double kService = 0.01;
  const auto requests = draw_requests(arrivals(70, 200000));
  const Run run = simulate(requests, one_at_a_time(kService));
  double at_once = 0;
  for (const Outcome& outcome : run.outcomes) {
    at_once += outcome.finish - outcome.arrival < kService * (1 + 1e-9);
  }
  CHECK(at_once / 200000 == Approx(0.3).epsilon(0.02));
}

TEST_CASE("D/D/1: steady arrivals below the capacity never wait, above it they wait in line") {
  Workload workload = arrivals(50, 1000);
  workload.burstiness = 0;
  const auto requests = draw_requests(workload);
  CHECK(summary_of(requests, one_at_a_time(0.01)).end_to_end.most == Approx(0.01));
  // Request n arrives at n / 50 and leaves at 1 / 50 + n * 0.03.
  CHECK(summary_of(requests, one_at_a_time(0.03)).end_to_end.most ==
        Approx(0.02 + 1000 * 0.03 - 1000 * 0.02));
}

TEST_CASE("M/D/c with as many servers as requests under way: nobody waits") {
  const auto requests = draw_requests(arrivals(100, 20000));
  System system = one_at_a_time(0.01);
  system.pool.instances = 40;
  CHECK(summary_of(requests, system).end_to_end.most == Approx(0.01));
}

TEST_CASE("Little's law holds in a run of any kind") {
  Workload workload = arrivals(30, 5000);
  workload.prompt = parse_lengths("lognormal:300:1");
  workload.output = parse_lengths("exponential:40");
  const auto requests = draw_requests(workload);
  for (const std::int64_t batch : {1, 4, 64}) {
    System system;
    system.pool.costs = StepCosts::constant(0.002);
    system.pool.scheduler.most_sequences = batch;
    system.pool.scheduler.blocks = 4000;
    const Run run = simulate(requests, system);
    const Summary summary = summarize_run(requests, run, system, {}, {}, 1);
    REQUIRE(summary.finished == 5000);
    CHECK(summary.mean_in_system ==
          Approx(summary.requests_per_second * summary.end_to_end.mean).epsilon(1e-9));
  }
}

TEST_CASE("closed loop: throughput is users over the time of an answer") {
  Workload workload = arrivals(1e6, 4000);
  workload.output = parse_lengths("11");
  System system;
  system.pool.costs = StepCosts::constant(0.01);
  system.pool.scheduler.most_sequences = 64;
  system.most_in_flight = 8;
  // Ten steps after the step of the first token, for all eight at once.
  const Summary summary = summary_of(draw_requests(workload), system);
  CHECK(summary.end_to_end.p50 == Approx(0.11));
  CHECK(summary.requests_per_second == Approx(8 / 0.11).epsilon(1e-3));
  CHECK(summary.time_per_output_token.mean == Approx(0.01));
}
