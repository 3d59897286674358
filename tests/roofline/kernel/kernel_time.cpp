// SPDX-License-Identifier: MIT
// The time model against formulas by hand, and the sizes that it reads from machine files.
#include "roofline/kernel/kernel_time.hpp"

#include <algorithm>
#include <filesystem>

#include "roofline/profile.hpp"
#include "support/catch.hpp"
#include "support/launches.hpp"

using namespace roofline;
using Catch::Matchers::Contains;

namespace {

const std::filesystem::path kMachines = RL_MACHINE_FOLDER;

Machine machine(const char* id) {
  return load_machine(kMachines / (std::string(id) + ".toml"));
}

Efficiencies measured() {
  return efficiencies_of(read_report(RL_MEASURED_ROOFS), machine("h200-sxm"));
}

const UnitTime& unit(const KernelTime& time, const std::string& name) {
  for (const UnitTime& unit : time.units) {
    if (unit.name == name) return unit;
  }
  throw std::runtime_error("no unit " + name);
}

}  // namespace

TEST_CASE("the virtual GPU's sizes are those of the machine file") {
  const vgpu::Geometry h200 = geometry_of(machine("h200-sxm"));
  CHECK(h200.machine == "h200-sxm");
  CHECK(h200.multiprocessors == 132);
  CHECK(h200.max_threads == 2048);
  CHECK(h200.shared_bytes == 228 * 1024);
  CHECK(h200.shared_bytes_reserved == 1024);
  CHECK(h200.l1_bytes == 256 * 1024);
  CHECK(h200.l2_bytes == 50 << 20);
  const vgpu::Geometry mi300x = geometry_of(machine("mi300x"));
  CHECK(mi300x.lanes == 64);
  CHECK(mi300x.l2_bytes == 32 << 20);
  CHECK_FALSE(mi300x.l1_holds_shared);
  CHECK_THROWS_WITH(geometry_of(machine("t4")), Contains("t4") && Contains("[multiprocessor]"));
}

TEST_CASE("rates of the multiprocessors agree with the machine's other figures") {
  int machines = 0;
  for (const auto& file : machine_files(kMachines)) {
    const Machine machine = load_machine(file);
    if (!machine.multiprocessor) continue;
    ++machines;
    INFO(machine.id);
    const Multiprocessor& part = *machine.multiprocessor;
    const Peak* peak = find_peak(machine, Precision::kFp32, Unit::kVector);
    CHECK(peak->parts->units == part.count);
    CHECK(peak->clock_hz.value() == Approx(part.clock_hz));
    for (const MemoryLevel& level : machine.levels) {
      if (level.name != "L1") continue;
      CHECK(level.capacity_bytes == static_cast<double>(part.l1.bytes));
      const double promised = part.l1.bytes_per_clock * part.count * part.clock_hz;
      if (level.provenance.confidence == Confidence::kMeasured) {
        CHECK(level.bytes_per_second.value() < promised);
        CHECK(level.bytes_per_second.value() > promised / 3);
      } else {
        CHECK(level.bytes_per_second.value() == Approx(promised).epsilon(0.001));
      }
    }
    CHECK(part.l1.latency_seconds < part.l2.latency_seconds);
    CHECK(part.l2.latency_seconds < part.dram.latency_seconds);
    for (const Provenance& provenance :
         {part.provenance, part.resident.provenance, part.shared.provenance, part.l1.provenance,
          part.l2.provenance, part.dram.provenance}) {
      CHECK_FALSE(provenance.source.empty());
    }
  }
  CHECK(machines == 5);
}

TEST_CASE("what a measured machine reaches of its peaks") {
  const Efficiencies reached = measured();
  CHECK(reached.dram(0) == Approx(4591.155e9 / 4800e9));
  CHECK(reached.dram(1) == Approx(4684.421e9 / 4800e9));
  CHECK(reached.dram(0.5) == Approx(4281.888e9 / 4800e9));  // scale, the faster of the two
  CHECK(reached.dram(0.25) < reached.dram(0));
  CHECK(reached.dram(0.25) > reached.dram(0.5));
  CHECK(reached.l2 == Approx(9790.594e9 / (5120 * 1.98e9)));
  CHECK(reached.vector.at(Precision::kFp32) == Approx(65891.37 / 67000));
  CHECK(Efficiencies().dram(0.3) == 1);
  CHECK_THROWS_WITH(efficiencies_of(read_report(RL_MEASURED_ROOFS), machine("t4")), Contains("t4"));
}

TEST_CASE("the course's own measurement is found in its data") {
  const std::filesystem::path data =
      std::filesystem::path(RL_MEASURED_ROOFS).parent_path().parent_path();
  const Efficiencies found = roofline::measured_efficiencies(data);
  CHECK(found.machine == "h200-sxm");
  CHECK(found.l2 == efficiencies_of(read_report(RL_MEASURED_ROOFS), machine("h200-sxm")).l2);
  CHECK(roofline::measured_efficiencies("/nowhere").device.empty());
}

TEST_CASE("DRAM takes bytes over the measured stream, and a long stream is bound by it") {
  const Machine h200 = machine("h200-sxm");
  const double n = 1 << 28;
  const vgpu::Launch saxpy = launches::saxpy(geometry_of(h200), n);
  const KernelTime time = time_of(saxpy, h200, measured());
  CHECK(time.bound == "DRAM");
  CHECK(unit(time, "DRAM").seconds == Approx(12 * n / 4423.546e9));  // a triad's mix
  CHECK(unit(time, "DRAM").peak_seconds == Approx(12 * n / 4800e9));
  CHECK(unit(time, "L2").seconds == Approx(12 * n / 9790.594e9));
  CHECK(unit(time, "L1").seconds == Approx(12 * n / (128 * 132 * 1.98e9)).epsilon(1e-3));
  CHECK(unit(time, "FP32").seconds == Approx(2 * n / 65891.371e9).epsilon(1e-3));
  CHECK(time.low_seconds < time.expected_seconds);
  CHECK(time.expected_seconds < time.high_seconds);
  CHECK(unit(time, "DRAM").share_of_peak ==
        Approx(unit(time, "DRAM").peak_seconds / time.expected_seconds));
}

TEST_CASE("one element per thread reaches what was measured on the H200") {
  const Machine h200 = machine("h200-sxm");
  const double n = 67108864;
  const KernelTime time = time_of(launches::saxpy(geometry_of(h200), n), h200, measured());
  const double seen = 12 * n / 3346.5e9;  // data/measured/saxpy_h200.csv
  CHECK(time.low_seconds < seen);
  CHECK(time.high_seconds > seen);
  CHECK(time.expected_seconds == Approx(seen).epsilon(0.15));
}

TEST_CASE("a short kernel takes about as long as ncu measured") {
  const Machine h200 = machine("h200-sxm");
  vgpu::Launch launch = launches::saxpy(geometry_of(h200), 1 << 20);
  launch.l2_dirty_bytes = launch.dram_bytes_written;  // all of it stays in L2
  launch.dram_bytes_written = 0;
  const Profile real = import_profile(RL_NCU_FOLDER "/saxpy_raw.csv");
  const KernelTime time = time_of(launch, h200, measured());
  CHECK(time.expected_seconds == Approx(real.kernels[0].counts->seconds).epsilon(0.3));
  CHECK(launch.dram_bytes_read == Approx(real.kernels[0].counts->bytes.at("DRAM")).epsilon(0.02));
}

TEST_CASE("Little's law: bytes in flight that are there and that DRAM needs") {
  const Machine h200 = machine("h200-sxm");
  const KernelTime time = time_of(launches::saxpy(geometry_of(h200), 1 << 28), h200, measured());
  // 132 multiprocessors x 64 warps x two loads of 128 B, against 4591 GB/s x 273 ns.
  CHECK(time.concurrency.loads_per_warp == 2);
  CHECK(time.concurrency.bytes_available == Approx(132 * 64 * 2 * 128));
  CHECK(time.concurrency.bytes_needed == Approx(4591.155e9 * 273e-9));
  // The wait of whole warps: data/measured/h200_roofs_full.json, the sweep of bytes in flight.
  CHECK(time.concurrency.latency_seconds == Approx(132 * 512 / 164.456e9).epsilon(0.01));
}

TEST_CASE("of a line in a loop four loads are in flight, and those that a warp holds anyway") {
  const Machine h200 = machine("h200-sxm");
  vgpu::Launch launch = launches::saxpy(geometry_of(h200), 1 << 28);
  launch.sites[0].requests *= 64;
  const auto loads = [&](double held) {
    launch.sites[0].held = held;
    return time_of(launch, h200, measured()).concurrency.loads_per_warp;
  };
  CHECK(loads(0) == 4);
  CHECK(loads(2) == 4);
  CHECK(loads(8) == 8);
  CHECK(loads(100) == 16);  // as far as registers allow
}

TEST_CASE("one block that reads much waits for its loads") {
  const Machine h200 = machine("h200-sxm");
  const double rows = 4096;  // loads of each of its 8 warps
  vgpu::Launch launch = launches::saxpy(geometry_of(h200), 256);
  launch.sites = {
      launches::access(7, vgpu::Space::kGlobal, vgpu::Access::kLoad, 8 * rows, 32 * rows)};
  launch.lines = {launches::full_warps(7, 8 * rows)};
  launch.l1_load_sectors = launch.l2_read_sectors = 32 * rows;
  launch.l2_write_sectors = 0;
  launch.dram_bytes_read = 32 * 32 * rows;
  launch.dram_bytes_written = 0;
  const KernelTime time = time_of(launch, h200, measured());
  CHECK(time.bound == "latency");
  CHECK(time.memory_latency_seconds == Approx(rows / 4 * 1.5 * 273e-9));  // unrolled by four
  CHECK(time.least_latency_seconds == Approx(rows / 16 * 1.5 * 273e-9));
  CHECK(time.expected_seconds > 100 * unit(time, "DRAM").seconds);
}

TEST_CASE("a launch with hardly any work takes as long as a launch") {
  const Machine h200 = machine("h200-sxm");
  const KernelTime time = time_of(launches::saxpy(geometry_of(h200), 256), h200, measured());
  CHECK(time.bound == "launch");
  CHECK(time.low_seconds > 2e-6);
  CHECK(time.high_seconds < 4e-6);
}

TEST_CASE("a transpose that stores columns is bound by L2, and conflicts by shared memory") {
  const Machine h200 = machine("h200-sxm");
  const vgpu::Geometry geometry = geometry_of(h200);
  const double n = 8192;
  const KernelTime naive = time_of(launches::naive_transpose(geometry, n), h200, measured());
  CHECK(naive.bound == "L2");
  // Per number 4 bytes read and a sector written; if a sector is written in part, its line takes
  // another access, see below.
  CHECK(unit(naive, "L2").seconds == Approx(36 * n * n / 9790.594e9));
  const KernelTime tiled = time_of(launches::tiled_transpose(geometry, n, 0), h200, measured());
  CHECK(tiled.bound == "shared memory");
  CHECK(unit(tiled, "shared memory").seconds ==
        Approx(33 * n * n / 32 / (132 * 1.98e9)).epsilon(0.01));  // and a tail
  const KernelTime padded = time_of(launches::tiled_transpose(geometry, n, 1), h200, measured());
  // One number per thread, and a round of blocks per 132 x 2048 of them: waiting for the rounds
  // takes longer than moving the bytes.
  CHECK(padded.bound == "latency");
  CHECK(padded.chain_seconds > n * n / (132 * 2048) * (250e-9 + 1.5 * 273e-9));
  CHECK(unit(padded, "DRAM").seconds > 0.5 * padded.chain_seconds);
  CHECK(padded.expected_seconds < tiled.expected_seconds);
  CHECK(padded.expected_seconds < naive.expected_seconds);
}

TEST_CASE("lines and contended atomics have times of their own, parts of sectors take L2's") {
  const Machine h200 = machine("h200-sxm");
  vgpu::Launch launch = launches::saxpy(geometry_of(h200), 1 << 20);
  const double clock = 1.98e9;
  const double whole = unit(time_of(launch, h200), "L2").amount;
  launch.sites.front().lines = 1e6;
  launch.l2_write_parts = 2e6;
  launch.atomics_of_a_line = 1e4;
  const KernelTime time = time_of(launch, h200);
  CHECK(unit(time, "L1 tags").seconds == Approx(1e6 / (132 * clock)).epsilon(0.04));  // and a tail
  CHECK(unit(time, "L2").amount == Approx(whole + 2e6 * 128));
  CHECK(unit(time, "atomics").seconds == Approx(1e4 * 6.4 / clock));
}

namespace {

/// A launch of full blocks that moves `bytes` through DRAM with one kind of access, in requests of
/// 32 sectors on the given number of lines.
vgpu::Launch through_dram(const Machine& machine, vgpu::Access access, double bytes, double lines) {
  vgpu::Launch launch = launches::saxpy(geometry_of(machine), 1 << 24);
  const double sectors = bytes / 32;
  vgpu::Site site = launches::access(7, vgpu::Space::kGlobal, access, sectors / 32, sectors);
  site.lines = lines;
  launch.sites = {site};
  const bool loads = access == vgpu::Access::kLoad;
  launch.l1_load_sectors = launch.l2_read_sectors = loads ? sectors : 0;
  launch.l2_write_sectors = loads ? 0 : sectors;
  launch.dram_bytes_read = loads ? bytes : 0;
  launch.dram_bytes_written = loads ? 0 : bytes;
  launch.l2_dirty_bytes = 0;
  return launch;
}

double dram_seconds(const vgpu::Launch& launch, const Machine& machine) {
  return unit(time_of(launch, machine), "DRAM").seconds;
}

}  // namespace

TEST_CASE("lone sectors cost DRAM a row each") {
  const Machine h200 = machine("h200-sxm");
  const double bytes = 1e9;
  const double sectors = bytes / 32;
  const double stream = bytes / 4800e9;
  using vgpu::Access;
  CHECK(dram_seconds(through_dram(h200, Access::kLoad, bytes, sectors / 4), h200) ==
        Approx(stream));
  CHECK(dram_seconds(through_dram(h200, Access::kLoad, bytes, sectors / 2), h200) ==
        Approx(stream));
  vgpu::Launch gather = through_dram(h200, Access::kLoad, bytes, sectors);
  gather.dram_bytes_read = 2 * bytes;  // 64 B are fetched for each sector
  // 192 pseudo-channels of 32 bits (6144 in all) open four rows in 15 ns each.
  const double rows = sectors / (192 * 4 / 15e-9);
  CHECK(dram_seconds(gather, h200) == Approx(rows).epsilon(0.01));
  // Half of the lines are needed for one sector, half for three.
  gather.sites.front().lines = sectors / 2 * 1.5;
  CHECK(dram_seconds(gather, h200) == Approx((rows + 2 * stream) / 2).epsilon(0.01));
}

TEST_CASE("lone sectors that a cache keeps for others of their line are none") {
  const Machine h200 = machine("h200-sxm");
  const double bytes = 1e9;
  vgpu::Launch columns = through_dram(h200, vgpu::Access::kLoad, bytes, bytes / 32);
  const double alone = dram_seconds(columns, h200);
  const double stream = bytes / 4800e9;
  columns.l1_load_sectors *= 8;  // each is read by eight requests
  CHECK(dram_seconds(columns, h200) - stream == Approx((alone - stream) / 8));
}

TEST_CASE("lone stores take between one and three times as long as a stream") {
  const Machine h200 = machine("h200-sxm");
  const double bytes = 1e9;
  vgpu::Launch scatter = through_dram(h200, vgpu::Access::kStore, bytes, bytes / 32);
  const double stream = bytes / 4800e9;
  CHECK(dram_seconds(scatter, h200) > stream);
  CHECK(dram_seconds(scatter, h200) < 94.0 / 32 * stream);
  scatter.l2_write_parts = bytes / 32;
  scatter.dram_bytes_read = bytes;  // each is read first to be completed
  const double completed = dram_seconds(scatter, h200);
  CHECK(completed > 2 * stream);
  // If four stores merge in L2 before a sector is evicted, a quarter remain alone.
  scatter.sites.front().sectors *= 4;
  scatter.sites.front().lines *= 4;
  CHECK(dram_seconds(scatter, h200) - 2 * stream == Approx((completed - 2 * stream) / 4));
}

TEST_CASE("latency and transfer add up as in the measured sweep of bytes in flight") {
  const Machine h200 = machine("h200-sxm");
  const Report report = read_report(RL_MEASURED_FULL_ROOFS);
  // Blocks of one warp, at most 32, that together load this much per multiprocessor at a time,
  // repeatedly.
  int compared = 0;
  for (const ConcurrencyPoint& load : report.in_flight) {
    const double warps = std::min(32.0, load.bytes_per_unit / 128);
    const double loads = load.bytes_per_unit / 128 / warps;
    if (loads > 4) continue;
    ++compared;
    const double passes = 1e4;
    vgpu::Launch launch = launches::saxpy(geometry_of(h200), 256);
    launch.grid = {static_cast<std::int64_t>(132 * warps), 1, 1};
    launch.block = {32, 1, 1};
    launch.occupancy.blocks = 32;
    const double requests = 132 * warps * loads * passes;
    vgpu::Site site =
        launches::access(7, vgpu::Space::kGlobal, vgpu::Access::kLoad, requests, 4 * requests);
    vgpu::Site update = launches::access(7, vgpu::Space::kShared, vgpu::Access::kAtomic,
                                         requests / loads, 0);  // separates the passes
    launch.sites = {site, update};
    launch.lines = {};
    launch.arithmetic = {};
    launch.l1_load_sectors = launch.l2_read_sectors = 4 * requests;
    launch.l2_write_sectors = 0;
    launch.dram_bytes_read = 128 * requests;
    launch.dram_bytes_written = launch.l2_dirty_bytes = 0;
    INFO(load.bytes_per_unit << " bytes");
    const double rate = launch.dram_bytes_read / time_of(launch, h200, measured()).expected_seconds;
    CHECK(rate == Approx(load.bytes_per_second).epsilon(0.1));
  }
  CHECK(compared == 9);
}

TEST_CASE("a load waits for the atomic before it") {
  const Machine h200 = machine("h200-sxm");
  vgpu::Launch launch = launches::saxpy(geometry_of(h200), 256);
  const double rounds = 64;  // for each of its 8 warps
  using vgpu::Access;
  using vgpu::Space;
  const auto access = [&](Space space, Access kind) {
    return launches::access(7, space, kind, 8 * rounds, 32 * rounds);
  };
  const auto in_flight = [&] { return time_of(launch, h200).concurrency.loads_per_warp; };
  launch.sites = {access(Space::kGlobal, Access::kLoad)};
  CHECK(in_flight() == 4);
  launch.sites.push_back(access(Space::kShared, Access::kAtomic));
  CHECK(in_flight() == 1);
  launch.sites.front().requests *= 2;  // two loads for each
  CHECK(in_flight() == 2);
  launch.sites.back().requests = 8;  // one at the end
  CHECK(in_flight() == 4);
}

TEST_CASE("a launch begins with instructions and arguments from DRAM") {
  CHECK(launch_seconds(*machine("h200-sxm").multiprocessor) == Approx(2e-6 + 2 * 273e-9));
}

TEST_CASE("units of one pipe share its time, pipes add up as queues do") {
  const Machine h200 = machine("h200-sxm");
  vgpu::Launch launch = launches::saxpy(geometry_of(h200), 1 << 28);
  const KernelTime before = time_of(launch, h200, measured());
  // A line takes a clock to look up, and its data leaves by the same pipe: the longer counts.
  launch.sites.front().lines = unit(before, "L1").amount / 128;
  const KernelTime after = time_of(launch, h200, measured());
  CHECK(unit(after, "L1 tags").seconds == Approx(unit(before, "L1").seconds));
  CHECK(after.expected_seconds == Approx(before.expected_seconds));
  CHECK(before.expected_seconds > before.start_seconds + unit(before, "DRAM").seconds);
  CHECK(before.expected_seconds <
        before.start_seconds + unit(before, "DRAM").seconds + before.chain_seconds);
}

TEST_CASE("shared memory and L1 take turns: twice the wavefronts take twice the time") {
  const Machine h200 = machine("h200-sxm");
  vgpu::Launch launch = launches::saxpy(geometry_of(h200), 1 << 20);
  const double wavefronts = 1e9;
  launch.l1_load_sectors = launch.l1_load_hits = 4 * wavefronts;  // a line's four at a time
  launch.l2_read_sectors = launch.dram_bytes_read = 0;
  const auto shared = [](double wavefronts_of_it) {
    vgpu::Site site = launches::access(9, vgpu::Space::kShared, vgpu::Access::kStore, 0, 0);
    site.wavefronts = wavefronts_of_it;
    return site;
  };
  launch.sites.push_back(shared(wavefronts));
  const double half_each = time_of(launch, h200).expected_seconds;
  launch.l1_load_sectors = launch.l1_load_hits = 0;
  launch.sites.back() = shared(2 * wavefronts);
  CHECK(time_of(launch, h200).expected_seconds == Approx(half_each).epsilon(0.001));
  CHECK(half_each > 2 * wavefronts / (132 * 1.98e9));
}

TEST_CASE("a warp waits for the slowest of its loads") {
  const Machine h200 = machine("h200-sxm");
  const Multiprocessor& part = *h200.multiprocessor;
  vgpu::Launch launch = launches::saxpy(geometry_of(h200), 256);
  launch.grid = {1, 1, 1};
  const double groups = 1024;  // of four loads, of each of its 8 warps
  launch.sites = {launches::access(7, vgpu::Space::kGlobal, vgpu::Access::kLoad, 8 * 4 * groups,
                                   8 * 4 * groups)};
  launch.l1_load_sectors = 32 * groups;
  launch.l1_load_hits = 24 * groups;  // of four loads, one misses on average
  launch.l2_read_sectors = launch.l2_read_hits = 8 * groups;
  launch.dram_bytes_read = 0;
  const double misses = 1 - 0.75 * 0.75 * 0.75 * 0.75;
  const KernelTime time = time_of(launch, h200);
  CHECK(time.memory_latency_seconds == Approx(groups * (misses * part.l2.latency_seconds +
                                                        (1 - misses) * part.l1.latency_seconds)));
  CHECK(time.concurrency.latency_seconds ==
        Approx(0.25 * part.l2.latency_seconds + 0.75 * part.l1.latency_seconds));
}

TEST_CASE("a multiplication and the addition that it goes into are one instruction") {
  const Machine h200 = machine("h200-sxm");
  vgpu::Launch launch = launches::saxpy(geometry_of(h200), 1 << 20);
  launch.arithmetic["fp32"] = {};
  launch.arithmetic["fp32"].fma = 1 << 20;
  const double fused = unit(time_of(launch, h200), "FP32").seconds;
  launch.arithmetic["fp32"] = {};
  launch.arithmetic["fp32"].add = launch.arithmetic["fp32"].multiply = 1 << 20;
  CHECK(unit(time_of(launch, h200), "FP32").seconds == fused);
}

TEST_CASE("a packed instruction serves two numbers, and has room for them at the peak") {
  vgpu::Launch launch;
  launch.grid = {132, 1, 1};
  launch.block = {32, 1, 1};
  launch.blocks_run = 132;
  launch.arithmetic["fp16"] = {.fma = 2e9, .packed = 1e9};
  const KernelTime packed = time_of(launch, machine("h200-sxm"));
  CHECK(unit(packed, "FP16").peak_seconds == Approx(4e9 / 133.8e12));
  CHECK(unit(packed, "issue").amount == Approx(132 * 25 + 1e9 / 32));
  launch.arithmetic["fp16"].packed = 0;  // each alone takes as long as two
  CHECK(unit(time_of(launch, machine("h200-sxm")), "FP16").peak_seconds == Approx(8e9 / 133.8e12));
  launch.arithmetic["fp16"] = {.convert = 1e9};
  CHECK(unit(time_of(launch, machine("h200-sxm")), "issue").amount == Approx(132 * 25 + 1e9 / 32));
}

TEST_CASE("matrix units take FLOPs over the dense peak, at the share that mma.sync reaches") {
  vgpu::Launch launch;
  launch.grid = {132, 1, 1};
  launch.block = {32, 1, 1};
  launch.blocks_run = 132;
  launch.matrix["fp16"] = {.instructions = 1e9 / 4096, .flops = 1e9};
  const Efficiencies reached = measured();
  CHECK(reached.matrix.at(Precision::kFp16) == Approx(635.8 / 989.4).epsilon(0.001));
  const UnitTime fp16 = unit(time_of(launch, machine("h200-sxm"), reached), "FP16 matrix");
  CHECK(fp16.peak_seconds == Approx(1e9 / 989.4e12));
  CHECK(fp16.seconds == Approx(1e9 / 635.8e12).epsilon(0.001));
  CHECK(unit(time_of(launch, machine("h200-sxm")), "issue").amount ==
        Approx(132 * 25 + 1e9 / 4096));
  // Sums in FP16 would be twice as fast there; these are in FP32. It has 128 multiprocessors.
  launch.grid = {128, 1, 1};
  CHECK(unit(time_of(launch, machine("rtx-4090")), "FP16 matrix").peak_seconds ==
        Approx(1e9 / 165e12));
  launch.matrix = {{"fp4", {.instructions = 1, .flops = 4096}}};
  const std::vector<std::string> assumed = time_of(launch, machine("h200-sxm")).assumptions;
  CHECK(std::ranges::any_of(assumed, [](const std::string& sentence) {
    return sentence.find("products of fp4") != std::string::npos;
  }));
}

TEST_CASE("the busiest multiprocessor sets the time of what each has for itself") {
  const Machine h200 = machine("h200-sxm");
  vgpu::Launch launch = launches::saxpy(geometry_of(h200), 256 * 132);
  const double even = unit(time_of(launch, h200), "FP32").seconds;
  launch.grid = {133, 1, 1};
  CHECK(unit(time_of(launch, h200), "FP32").seconds == Approx(even * 2 * 132 / 133));
}

TEST_CASE("a warp's idle lanes take their time all the same") {
  const Machine h200 = machine("h200-sxm");
  vgpu::Launch launch = launches::saxpy(geometry_of(h200), 1 << 20);
  const double full = unit(time_of(launch, h200), "FP32").seconds;
  for (vgpu::LineWork& line : launch.lines) line.lanes /= 4;
  CHECK(unit(time_of(launch, h200), "FP32").seconds == Approx(4 * full));
}

TEST_CASE("the assumptions behind the time are stated") {
  const Machine a100 = machine("a100-80gb-sxm");
  const vgpu::Launch launch = launches::saxpy(geometry_of(a100), 1 << 20);
  const auto said = [&](const Efficiencies& reached) {
    std::string all;
    for (const std::string& sentence : time_of(launch, a100, reached).assumptions) all += sentence;
    return all;
  };
  CHECK_THAT(said(measured()), Contains("NVIDIA H200") && Contains("not measured"));
  CHECK_THAT(said({}), Contains("nothing was measured"));
  CHECK_THAT(said({}), Contains("16 registers per thread are assumed"));
  CHECK_THROWS_WITH(time_of(launch, machine("t4")), Contains("[multiprocessor]"));
}

TEST_CASE("some of a GPU's multiprocessors have the same share of what all of them use") {
  const Machine h200 = machine("h200-sxm");
  const Machine part = part_of(h200, 33);
  CHECK(bandwidth(part) == Approx(4800e9 / 4));
  CHECK(find_peak(part, Precision::kFp32, Unit::kVector)->operations_per_second ==
        Approx(67e12 / 4));
  CHECK(part.multiprocessor->l2.bytes_per_clock == 5120 / 4);
  CHECK(part.multiprocessor->l1.bytes_per_clock == 128);
  CHECK(part.multiprocessor->dram.latency_seconds == h200.multiprocessor->dram.latency_seconds);
  vgpu::Geometry quarter = geometry_of(h200);
  quarter.multiprocessors = 33;
  quarter.l2_bytes /= 4;
  CHECK(geometry_of(part) == quarter);
  CHECK(geometry_of(part_of(h200, 132)) == geometry_of(h200));
  // A quarter of the work takes as long.
  const double n = 33 * (1 << 20);
  const double whole = time_of(launches::saxpy(geometry_of(h200), 4 * n), h200).expected_seconds;
  CHECK(time_of(launches::saxpy(quarter, n), part).expected_seconds == Approx(whole).epsilon(0.01));
  CHECK_THROWS_WITH(part_of(h200, 133), Contains("133 multiprocessors"));
  CHECK_THROWS_AS(part_of(h200, 0), std::invalid_argument);
  CHECK_THROWS_AS(part_of(machine("t4"), 1), std::invalid_argument);
}

TEST_CASE("in unrolled code a warp issues an instruction per clock, and loops cost nothing") {
  const Machine h200 = machine("h200-sxm");
  const double steps = 1e6;
  vgpu::Launch launch = launches::saxpy(geometry_of(h200), 256);
  launch.grid = {1, 1, 1};
  launch.block = {32, 1, 1};
  launch.sites = {};
  launch.l1_load_sectors = launch.l2_read_sectors = launch.dram_bytes_read = 0;
  launch.lines = {launches::full_warps(3, steps), launches::full_warps(4, steps, 2 * 32 * steps)};
  launch.arithmetic["fp32"] = {};
  launch.arithmetic["fp32"].fma = 32 * steps;
  const auto clocks = [&](Code code) {
    return time_of(launch, h200, {}, code).chain_seconds * h200.multiprocessor->clock_hz;
  };
  // A multiply-add and half an instruction for the loop's line, four clocks each.
  CHECK(clocks(Code::kInOrder) == Approx(4 * 1.5 * steps).epsilon(0.001));
  CHECK(clocks(Code::kUnrolled) == Approx(steps).epsilon(0.001));
  const auto issued = [&](Code code) { return unit(time_of(launch, h200, {}, code), "issue"); };
  CHECK(issued(Code::kInOrder).amount == Approx(25 + 1.5 * steps));
  CHECK(issued(Code::kUnrolled).amount == Approx(25 + steps));
}

TEST_CASE("in unrolled code halves are computed in pairs, whether the source says so or not") {
  const Machine h200 = machine("h200-sxm");
  const double numbers = 1 << 30;
  vgpu::Launch launch = launches::saxpy(geometry_of(h200), 132 * 256);  // a block each
  launch.arithmetic = {};
  const auto seconds = [&](double packed, Code code) {
    launch.arithmetic["fp16"].fma = numbers;
    launch.arithmetic["fp16"].packed = packed;
    return unit(time_of(launch, h200, {}, code), "FP16").seconds;
  };
  const double at_peak = 2 * numbers / 133.8e12;
  CHECK(seconds(numbers / 2, Code::kInOrder) == Approx(at_peak).epsilon(0.001));
  CHECK(seconds(0, Code::kInOrder) == Approx(2 * at_peak).epsilon(0.001));
  CHECK(seconds(numbers / 2, Code::kUnrolled) == Approx(at_peak).epsilon(0.001));
  CHECK(seconds(0, Code::kUnrolled) == Approx(at_peak).epsilon(0.001));
}
