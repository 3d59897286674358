// SPDX-License-Identifier: MIT
// What the kernels of brought.cu must count, from the rules in Nvidia's documentation: a warp-wide
// instruction is a request, a sector has 32 bytes, a pass over the banks of shared memory delivers
// 32 different words, one from each bank. The machine code of nvcc 13.0 has as many instructions of
// these widths, except where a test says otherwise.
#include <algorithm>
#include <map>
#include <string>

#include "gpu/gpu.hpp"
#include "gpu/profile.hpp"
#include "patterns.hpp"
#include "support/catch.hpp"

namespace {

using vgpu::Access;
using vgpu::Site;
using vgpu::Space;

/// Of a warp where a kernel has many equal ones, otherwise of the launch.
struct Counts {
  double load_requests = 0, load_sectors = 0, store_requests = 0, store_sectors = 0;
  double shared_loads = 0, shared_load_wavefronts = 0;  ///< 0, 0: not compared
};

vgpu::Launch launch_of(const std::string& name) {
  vgpu::Geometry geometry;
  geometry.multiprocessors = 4;
  geometry.shared_bytes = 228 * 1024;
  geometry.l1_bytes = 256 * 1024;
  geometry.l2_bytes = 1 << 20;
  for (const patterns::Pattern& pattern : patterns::brought()) {
    if (pattern.name == name) return gpu::profile(geometry, 0, pattern.run).launches.back();
  }
  throw std::runtime_error("no kernel " + name);
}

constexpr double kWarps = 128;  // 16 blocks of 256 threads

void check(const std::string& name, const Counts& should, double warps = kWarps) {
  INFO(name);
  const vgpu::Launch launch = launch_of(name);
  const auto is = [&](Space space, Access access, double Site::*figure) {
    return launch.total(space, access, figure) / warps;
  };
  CHECK(is(Space::kGlobal, Access::kLoad, &Site::requests) == should.load_requests);
  CHECK(is(Space::kGlobal, Access::kLoad, &Site::sectors) == should.load_sectors);
  CHECK(is(Space::kGlobal, Access::kStore, &Site::requests) == should.store_requests);
  CHECK(is(Space::kGlobal, Access::kStore, &Site::sectors) == should.store_sectors);
  if (should.shared_loads == 0) return;
  CHECK(is(Space::kShared, Access::kLoad, &Site::requests) == should.shared_loads);
  CHECK(is(Space::kShared, Access::kLoad, &Site::wavefronts) == should.shared_load_wavefronts);
}

}  // namespace

TEST_CASE("a structure of three words is copied word by word") {
  // 32 x 12 B = 384 B = 12 sectors, and each of the three requests touches all of them.
  check("three floats", {3, 3 * 12, 3, 3 * 12});
  check("one of three floats", {1, 12, 1, 4});
}

TEST_CASE("a structure of four words counts as one access, though nvcc copies it word by word") {
  // A GPU makes {4, 4 * 16, 4, 4 * 16} of it: no compiler reports how a structure is aligned, see
  // docs/pages/virtual_gpu.md.
  check("four floats without alignment", {1, 16, 1, 16});
}

TEST_CASE("narrow numbers fill fewer sectors") {
  check("bytes", {1, 1, 1, 1});
  check("four bytes", {1, 4, 1, 4});
  check("halves", {1, 2, 1, 2});
  check("pairs of halves", {1, 4, 1, 4});
}

TEST_CASE("which lane reads what does not matter, how much different it is does") {
  check("backwards", {1, 4, 1, 4});
  check("one number for all", {1, 1, 1, 4});
  // Indices fill 4 sectors; 16 different numbers are 64 bytes.
  check("gather, each twice", {2, 4 + 2, 1, 4});
}

TEST_CASE("shuffles access no memory, and one lane stores one sector") {
  check("maximum by shuffles", {1, 4, 1, 1});
}

TEST_CASE("a contended atomic is one request of a warp") {
  check("maximum by atomics", {1, 4, 0, 0});
  const vgpu::Launch launch = launch_of("maximum by atomics");
  CHECK(launch.total(Space::kGlobal, Access::kAtomic, &Site::requests) == kWarps);
}

TEST_CASE("lanes that returned do not make a request cheaper") {
  // Eight lanes, 16 bytes apart, two in each of the line's four sectors.
  check("every fourth thread", {1, 4, 1, 4});
  const vgpu::Launch launch = launch_of("every fourth thread");
  CHECK(launch.total(Space::kGlobal, Access::kLoad, &Site::lanes) == 8 * kWarps);
}

TEST_CASE("four branches are four requests, each of a quarter of the lanes") {
  // nvcc 13.0 moves the stores, which are the same, behind the branches: a single one on a GPU.
  check("four ways", {4, 4 * 4, 4, 4 * 4});
}

TEST_CASE("a grid that is too small goes round, and the last round is not full") {
  // 7 rounds of 16 warps; then 40 numbers: a warp with 4 sectors, and 8 lanes with one.
  check("few blocks, many rounds", {7 * 16 + 2, 7 * 16 * 4 + 5, 7 * 16 + 2, 7 * 16 * 4 + 5}, 1);
}

TEST_CASE("eight bytes per lane take two passes, and one if lanes share what they read") {
  // 256 bytes are stored.
  check("doubles, all the same", {0, 0, 1, 8, 1, 1}, 1);
  check("doubles, pairs the same", {0, 0, 1, 8, 1, 1}, 1);
  check("doubles, neighbours", {0, 0, 1, 8, 1, 2}, 1);
  // Rows are 256 bytes: all lanes use the same two banks.
  check("doubles, a column", {0, 0, 1, 8, 1, 32}, 1);
  const vgpu::Launch launch = launch_of("doubles, neighbours");
  CHECK(launch.total(Space::kShared, Access::kStore, &Site::wavefronts) == 32 * 2);
}

TEST_CASE("neighbouring words of an aligned row are read four at a time") {
  // 8 warps. 32 words: 8 instructions of 16 bytes, the same for all lanes, so two passes each.
  check("rows of a tile", {0, 0, 8, 32, 8 * 8, 8 * 8 * 2}, 1);
  // The same for two rows in turn.
  check("two rows of a tile", {0, 0, 8, 32, 8 * 16, 8 * 16 * 2}, 1);
  // Rows of 33 words: ptxas does not know where an aligned group begins.
  check("rows of a padded tile", {0, 0, 8, 32, 8 * 32, 8 * 32}, 1);
}

TEST_CASE("neighbouring words are written four at a time") {
  // 32 x 16 B are four passes, and one for the words that are read.
  check("four neighbours written", {0, 0, 1, 4, 1, 1}, 1);
  const vgpu::Launch launch = launch_of("four neighbours written");
  CHECK(launch.total(Space::kShared, Access::kStore, &Site::requests) == 1);
  CHECK(launch.total(Space::kShared, Access::kStore, &Site::wavefronts) == 4);
}

TEST_CASE("a tile with a border: the inside, two columns of one number, two rows") {
  // For each of 16 blocks: 8 rows of 4 sectors, 2 x 8 lone numbers, 2 rows. No bank is used twice.
  check("stencil with a border", {8 + 16 + 2, 8 * 4 + 16 + 8, 8, 32, 5 * 8, 5 * 8}, 16);
  const vgpu::Launch launch = launch_of("stencil with a border");
  CHECK(launch.total(Space::kShared, Access::kStore, &Site::wavefronts) == 16 * 26);
}
