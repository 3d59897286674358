// SPDX-License-Identifier: MIT
// The oracles of SAXPY and of the chains of multiply-adds.
#include <cstddef>
#include <vector>

#include "harness/oracle/chain.hpp"
#include "harness/oracle/saxpy.hpp"

namespace {

harness::Task program_saxpy_task(std::int64_t n, harness::Random& random) {
  harness::Task task = harness::saxpy_task(n, random);
  task.at_least("launches", 0);  // code/roofline.cu is a program of its own, which loops on a CPU
  return task;
}

/// From this size on a task is a race, whose work must not depend on chance.
constexpr std::int64_t kRace = std::int64_t{1} << 18;

/// x = a*x + b, `iterations` times. The initial values are negative and so away from about b / 2,
/// the fixed point of a step.
void add_chain(harness::Task& task, std::int64_t n, int iterations, float a, float b,
               harness::Random& random) {
  constexpr double kFewDigits = 2;  // of the exercises' tolerance: 16 to 32 units in the last place
  const std::vector<float> x = random.floats(static_cast<std::size_t>(n), -1, 0);
  task.flops = 2.0 * iterations * static_cast<double>(n);
  task.bytes_moved = 8.0 * static_cast<double>(n);
  task.needs("flops", task.flops);
  task.needs("bytes_loaded", task.bytes_moved / 2);
  task.needs("bytes_stored", task.bytes_moved / 2);
  const harness::SingleStep step{a, b};
  // Every step rounds, a product and a sum twice.
  task.in_out(x, harness::after_steps(x, step, iterations, 2.0 * iterations, random));
  if (n < kRace) harness::name_formula(task, x, step, iterations, kFewDigits);
}

/// Below one in magnitude, so that values do not grow; negative, so that signs change. For a long
/// chain close enough to -1 that values do not settle; for a short one far enough that an error of
/// two steps shows.
float chain_factor(harness::Random& random, bool is_long) {
  const double below = is_long ? random.uniform(1e-6, 1e-4) : random.uniform(0.02, 0.05);
  return static_cast<float>(-1 + below);
}

/// The number of iterations follows from n. If it were random, it would now and then be 0 for every
/// size, so that a kernel that does nothing passes; and counts handed out to a class must be the
/// same for everybody.
constexpr int kMostIterations = 40;
constexpr int kRaceIterations = 1024;

harness::Task chain_task(std::int64_t n, harness::Random& random) {
  const int iterations = n >= kRace ? kRaceIterations : static_cast<int>(n % (kMostIterations + 1));
  const float a = chain_factor(random, n >= kRace);
  const auto b = static_cast<float>(random.uniform(0.5, 1));
  harness::Task task;
  task.scalar(iterations);
  task.scalar(a);
  task.scalar(b);
  add_chain(task, n, iterations, a, b, random);
  return task;
}

/// The same in code/roofline.cu, a separate program, which uses a loop on a CPU.
harness::Task program_chain_task(std::int64_t n, harness::Random& random) {
  harness::Task task = chain_task(n, random);
  task.at_least("launches", 0);
  return task;
}

/// The sweep with a fixed number of iterations, for predictions.
template <int kIterations>
harness::Task fixed_task(std::int64_t n, harness::Random& random) {
  const float a = chain_factor(random, true);
  const auto b = static_cast<float>(random.uniform(0.5, 1));
  harness::Task task;
  task.scalar(a);
  task.scalar(b);
  add_chain(task, n, kIterations, a, b, random);
  return task;
}

HARNESS_ORACLE(saxpy, program_saxpy_task)
HARNESS_ORACLE(fma_chain, program_chain_task)
HARNESS_ORACLE(sweep, chain_task)
HARNESS_ORACLE(sweep_1, fixed_task<1>)
HARNESS_ORACLE(sweep_1000, fixed_task<1000>)

}  // namespace
