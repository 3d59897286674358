// SPDX-License-Identifier: MIT
// The latency ladder: its working sets, its cycle, and the walk through it.
#include "memory/latency.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "base/prefixes.hpp"
#include "cycle.hpp"
#include "support/catch.hpp"

using namespace roofline::measure;

namespace {

using namespace base::prefixes;

}  // namespace

TEST_CASE("a cycle comes back to its start after all of its elements and not before") {
  for (const std::size_t count : {2u, 3u, 96u, 1000u}) {
    const std::vector<std::uint32_t> next = single_cycle(count);
    std::vector<bool> seen(count, false);
    std::uint32_t at = 0;
    for (std::size_t step = 0; step < count; ++step) {
      REQUIRE_FALSE(seen.at(at));
      seen[at] = true;
      at = next.at(at);
    }
    CHECK(at == 0);
    CHECK(after_steps(next, 0, count) == 0);
    CHECK(after_steps(next, 0, count - 1) != 0);
  }
}

TEST_CASE("the order is not one that a prefetcher foresees") {
  const std::vector<std::uint32_t> next = single_cycle(4096);
  int near = 0;
  for (std::uint32_t i = 0; i < next.size(); ++i) {
    const std::int64_t step = std::int64_t{next[i]} - std::int64_t{i};
    near += step >= -8 && step <= 8;
  }
  // 16 of the 4095 other lines are this close: 16 are expected, and hardly ever more than twice as
  // many.
  CHECK(near < 48);
}

TEST_CASE("working sets lie well inside their levels") {
  // 48 KiB, 1 MiB, 32 MiB: sqrt(48 x 1024) = 221.7 KiB, sqrt(1 x 32) = 5.66 MiB, 8 x 32 = 256 MiB.
  const std::vector<Rung> cpu = latency_rungs({48 * kKibi, kMebi, 32 * kMebi}, 1024 * kMebi);
  REQUIRE(cpu.size() == 4);
  CHECK(cpu[0].level == "L1");
  CHECK(cpu[0].bytes == 6 * kKibi);
  CHECK(cpu[1].level == "L2");
  CHECK(cpu[1].bytes == Approx(221.7 * kKibi).epsilon(1e-3));
  CHECK(cpu[2].level == "LLC");
  CHECK(cpu[2].bytes == Approx(5.657 * kMebi).epsilon(1e-3));
  CHECK(cpu[3].level == "DRAM");
  CHECK(cpu[3].bytes == 256 * kMebi);
  // A GPU has no third cache.
  const std::vector<Rung> gpu = latency_rungs({227 * kKibi, 50 * kMebi, 0}, 1024 * kMebi);
  REQUIRE(gpu.size() == 3);
  CHECK(gpu[1].level == "L2");
  CHECK(gpu[2].level == "DRAM");
  // If the limit leaves less than three times the last cache, nothing is called DRAM.
  CHECK(latency_rungs({48 * kKibi, kMebi, 512 * kMebi}, 1024 * kMebi).back().level == "LLC");
  CHECK(latency_rungs({}, 1024 * kMebi).empty());
}

TEST_CASE("a walk on the device ends where the host's ends") {
  Chase chase({24 * kKibi, "L1", true});
  CHECK(chase.bytes() == 24 * kKibi);
  CHECK(chase.ends_where_it_should());
  Chase memory({4 * kMebi, "DRAM", true});
  CHECK(memory.steps() < chase.steps());
  CHECK(memory.ends_where_it_should());
}

TEST_CASE("a walk through far memory ends where the host's ends, or the memory's absence is said") {
  for (const Rung& far : far_rungs()) {
    INFO(far.level);
    CHECK(far.bytes > 4 * kMebi);
    try {
      Chase walk({4 * kMebi, far.level, true});
      CHECK(walk.ends_where_it_should());
    } catch (const std::runtime_error& missing) {
      WARN(far.level << ": " << missing.what());
      CHECK_FALSE(std::string(missing.what()).empty());
    }
  }
}
