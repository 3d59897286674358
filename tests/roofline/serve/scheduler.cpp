// SPDX-License-Identifier: MIT
// The rules of the scheduler, one at a time, with steps of constant length.
#include "roofline/llm/speculative.hpp"
#include "roofline/serve/simulate.hpp"
#include "roofline/serve/summary.hpp"
#include "support/catch.hpp"

namespace {

using namespace roofline::serve;
using Catch::Matchers::Contains;

constexpr double kStep = 0.01;

System steps_of(double seconds) {
  System system;
  system.pool.costs = StepCosts::constant(seconds);
  return system;
}

Request request(double arrival, std::int64_t prompt, std::int64_t output) {
  return {.arrival = arrival, .prompt = prompt, .output = output};
}

}  // namespace

TEST_CASE("a prompt is cut into chunks, and the last chunk gives the first token") {
  System system = steps_of(kStep);
  system.pool.scheduler.most_sequences = 8;
  system.pool.scheduler.most_tokens = 100;
  const Run run = simulate({request(0, 250, 5)}, system);
  CHECK(run.outcomes[0].first_token == Approx(3 * kStep));
  CHECK(run.outcomes[0].finish == Approx(7 * kStep));
  CHECK(run.pool.prefill_tokens == 250);
}

TEST_CASE("decode continues beside chunks, and waits for whole prompts") {
  const std::vector<Request> requests = {request(0, 10, 100), request(5.5 * kStep, 300, 2)};
  System system = steps_of(kStep);
  system.pool.scheduler.most_sequences = 8;
  system.pool.scheduler.most_tokens = 100;
  const Run cut = simulate(requests, system);
  // 100 tokens per step, one of them for decode: 300 take four steps, starting with the one after
  // arrival.
  CHECK(cut.outcomes[1].first_token == Approx(10 * kStep));
  CHECK(cut.outcomes[0].finish == Approx(100 * kStep));
  system.pool.scheduler.chunked = false;
  const Run whole = simulate(requests, system);
  CHECK(whole.outcomes[1].first_token == Approx(7 * kStep));
  CHECK(whole.outcomes[0].finish == Approx(101 * kStep));
}

TEST_CASE("a cache too small for all preempts the last, which is computed again and finishes") {
  System system = steps_of(kStep);
  system.pool.scheduler.most_sequences = 4;
  system.pool.scheduler.block_tokens = 10;
  system.pool.scheduler.blocks = 10;
  // Each grows to 60 tokens, six blocks; two prompts of 20 fit, two answers do not.
  const Run run = simulate({request(0, 20, 40), request(0, 20, 40)}, system);
  CHECK(run.preemptions == 1);
  CHECK(run.outcomes[0].preemptions == 0);
  CHECK(run.outcomes[1].preemptions == 1);
  CHECK(run.outcomes[0].finish == Approx(40 * kStep));
  CHECK(run.outcomes[1].finish > run.outcomes[0].finish);
  CHECK(run.pool.prefill_tokens > 40);
}

TEST_CASE("what can never fit is refused, and the others are served") {
  System system = steps_of(kStep);
  system.pool.scheduler.block_tokens = 10;
  system.pool.scheduler.blocks = 10;
  const Run run = simulate({request(0, 90, 20), request(0, 20, 5)}, system);
  CHECK(run.outcomes[0].refused);
  CHECK(run.outcomes[0].finish < 0);
  CHECK(run.outcomes[1].finish > 0);
}

TEST_CASE("the beginning of a prompt that a group shares is computed once") {
  std::vector<Request> requests;
  for (int i = 0; i < 10; ++i) {
    requests.push_back(request(i, 1000, 2));
    requests.back().prefix_group = 3;
    requests.back().prefix = 800;
  }
  System system = steps_of(kStep);
  CHECK(simulate(requests, system).prefix_tokens == 0);
  system.pool.scheduler.prefix_cache = true;
  const Run run = simulate(requests, system);
  CHECK(run.prefix_tokens == 9 * 800);
  CHECK(run.pool.prefill_tokens == 10 * 1000 - 9 * 800);
  // Cached prefixes are evicted when others need the room.
  system.pool.scheduler.block_tokens = 10;
  system.pool.scheduler.blocks = 110;
  for (std::size_t i = 0; i < requests.size(); i += 2) requests[i].prefix_group = 4;
  const Run crowded = simulate(requests, system);
  CHECK(crowded.prefix_tokens == 0);
  CHECK(crowded.outcomes.back().finish > 0);
}

TEST_CASE("speculation: accepted tokens come in one step, on average as the formula says") {
  System system = steps_of(kStep);
  system.pool.scheduler.draft_tokens = 3;
  system.pool.scheduler.acceptance = 1;
  CHECK(simulate({request(0, 10, 41)}, system).outcomes[0].finish == Approx(11 * kStep));
  system.pool.scheduler.acceptance = 0.8;
  constexpr std::int64_t kOutput = 200000;
  const Run run = simulate({request(0, 10, kOutput)}, system);
  const double rounds = static_cast<double>(run.pool.steps - 1);
  CHECK((kOutput - 1) / rounds == Approx(roofline::llm::expected_tokens(0.8, 3)).epsilon(0.01));
}

TEST_CASE("prefill and decode apart: the cache travels once, decode is never held up") {
  System system = steps_of(kStep);
  system.decode = system.pool;
  system.transfer = {.latency_seconds = 0.5, .bytes_per_second = 1000, .bytes_per_token = 2};
  const Run run = simulate({request(0, 100, 11), request(0.7, 3000, 2)}, system);
  CHECK(run.outcomes[0].first_token == Approx(kStep));
  CHECK(run.outcomes[0].finish == Approx(kStep + 0.5 + 0.2 + 10 * kStep));
  CHECK(run.decode.prefill_tokens == 0);
  CHECK(run.pool.prefill_tokens == 3100);
}

TEST_CASE("requests go to the copy with the fewest under way") {
  System system = steps_of(kStep);
  system.pool.scheduler.most_sequences = 1;
  system.pool.instances = 2;
  const Run run = simulate({request(0, 1, 10), request(0, 1, 10), request(0, 1, 1)}, system);
  CHECK(run.outcomes[0].finish == Approx(10 * kStep));
  CHECK(run.outcomes[1].finish == Approx(10 * kStep));
  CHECK(run.outcomes[2].finish == Approx(11 * kStep));
}

TEST_CASE("the same input gives the same run, bit for bit") {
  Workload workload;
  workload.requests_per_second = 40;
  workload.requests = 2000;
  workload.prompt = parse_lengths("lognormal:200:1");
  workload.output = parse_lengths("uniform:1:60");
  System system = steps_of(kStep);
  system.pool.scheduler.blocks = 600;
  system.pool.scheduler.draft_tokens = 2;
  system.pool.scheduler.acceptance = 0.5;
  const auto requests = draw_requests(workload);
  const Run first = simulate(requests, system, 7);
  const Run again = simulate(draw_requests(workload), system, 7);
  REQUIRE(first.outcomes.size() == again.outcomes.size());
  bool same = true;
  for (std::size_t i = 0; i < first.outcomes.size(); ++i) {
    same = same && first.outcomes[i].finish == again.outcomes[i].finish &&
           first.outcomes[i].first_token == again.outcomes[i].first_token;
  }
  CHECK(same);
  CHECK(simulate(requests, system, 8).seconds != first.seconds);
}

TEST_CASE("schedulers that cannot work are refused") {
  System system = steps_of(kStep);
  CHECK_THROWS_WITH(simulate({}, system), Contains("no requests"));
  system.pool.scheduler.most_tokens = 100;
  CHECK_THROWS_WITH(simulate({request(0, 1, 1)}, system), Contains("fewer sequences"));
  system.pool.scheduler.most_tokens = 2048;
  system.pool.scheduler.blocks = 0;
  CHECK_THROWS_WITH(simulate({request(0, 1, 1)}, system), Contains("no room"));
  system.pool.scheduler.blocks.reset();
  system.pool.instances = 0;
  CHECK_THROWS_WITH(simulate({request(0, 1, 1)}, system), Contains("one instance"));
}

TEST_CASE("percentiles and limits") {
  const Percentiles p = percentiles_of({5, 1, 3, 2, 4});
  CHECK(p.mean == 3);
  CHECK(p.p50 == 3);
  CHECK(p.p90 == Approx(4.6));
  CHECK(p.most == 5);
  CHECK(percentiles_of({}).p99 == 0);
  // Two of four requests wait for the first two; the limit of 15 ms separates them.
  System system = steps_of(kStep);
  system.pool.scheduler.most_sequences = 2;
  const std::vector<Request> requests(4, request(0, 1, 1));
  const Run run = simulate(requests, system);
  const Summary summary =
      summarize_run(requests, run, system,
                    {.time_to_first_token = 0.015, .time_per_output_token = {}, .end_to_end = {}},
                    {.dollars_per_hour = 3.6, .watts = 500, .idle_watts = {}}, 2);
  CHECK(summary.good_part == 0.5);
  // Two GPUs for 20 ms at 3.6 dollars an hour, four tokens.
  CHECK(*summary.dollars_per_million_tokens == Approx(2 * 0.02 * 0.001 / 4 * 1e6));
  CHECK(*summary.joules_per_token == Approx(2 * 500 * 0.02 / 4));
}
