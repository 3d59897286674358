// SPDX-License-Identifier: MIT
// Outputs of other benchmarks, as published by their users (bench/README.md says where).
#include "roofline/bench_output.hpp"

#include <algorithm>
#include <filesystem>

#include "base/files.hpp"
#include "roofline/measurement.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace roofline;
using Catch::Matchers::Contains;

namespace {

const std::filesystem::path kBench = RL_BENCH_FOLDER;

BenchFigure figure(const BenchOutput& output, const std::string& name) {
  const auto found =
      std::find_if(output.figures.begin(), output.figures.end(),
                   [&](const BenchFigure& candidate) { return candidate.name == name; });
  INFO(output.tool << " " << name);
  REQUIRE(found != output.figures.end());
  return *found;
}

BenchOutput from_text(const std::string& text) {
  const auto file = support::scratch_folder() / "roofline-bench.txt";
  std::filesystem::remove(file);
  base::write_file_atomically(file, text);
  return read_bench(file);
}

}  // namespace

TEST_CASE("BabelStream") {
  const BenchOutput output = read_bench(kBench / "babelstream_rtx2060.txt");
  CHECK(output.tool == "BabelStream");
  CHECK(output.device == "NVIDIA GeForce RTX 2060");
  CHECK(output.figures.size() == 5);
  CHECK(figure(output, "Copy").rate == Approx(297.715310e9));
  CHECK(figure(output, "Mul").our_roof == "scale");
  CHECK(figure(output, "Triad").rate == Approx(304.093569e9));
  CHECK(figure(output, "Dot").our_roof == "read");
  // With --mibibytes the heading says so.
  CHECK(
      from_text("BabelStream\nFunction    MiBytes/sec  Min (sec)\nCopy  1000.000  0.1  0.2  0.1\n")
          .figures.at(0)
          .rate == 1000.0 * 1048576);
}

TEST_CASE("mixbench") {
  const BenchOutput output = read_bench(kBench / "mixbench_rtx2070.txt");
  CHECK(output.tool == "mixbench");
  CHECK(output.device == "GeForce RTX 2070");
  CHECK(figure(output, "single precision").rate == Approx(8414.49e9));
  CHECK(figure(output, "double precision").rate == Approx(225.02e9));
  CHECK(figure(output, "half precision").rate == Approx(16847.93e9));
  CHECK(figure(output, "integer").rate == Approx(7477.75e9));
  CHECK(figure(output, "integer").integers);
  CHECK(figure(output, "memory").rate == Approx(424.65e9));
  CHECK(figure(output, "memory").kind == RoofKind::kBandwidth);
}

TEST_CASE("gpu-benches") {
  const BenchOutput stream = read_bench(kBench / "gpu_stream_h200.txt");
  CHECK(stream.tool == "gpu-stream");
  CHECK(figure(stream, "init").rate == 3898e9);  // not the largest block
  CHECK(figure(stream, "init").our_roof == "write");
  CHECK(figure(stream, "triad").rate == 3534e9);
  CHECK(figure(stream, "5pt").our_roof.empty());
  const BenchOutput roofline = read_bench(kBench / "gpu_roofline_h200.txt");
  CHECK(roofline.tool == "gpu-roofline");
  CHECK(figure(roofline, "multiply-adds").rate == 42558e9);
  CHECK(figure(roofline, "memory").rate == 3780e9);
  CHECK_THAT(roofline.notes.at(0), Contains("precision"));
  const BenchOutput l2 = read_bench(kBench / "gpu_l2_cache_h200.txt");
  CHECK(l2.tool == "gpu-l2-cache");
  CHECK(figure(l2, "smallest data set").rate == Approx(13526.6e9));
  CHECK(figure(l2, "largest data set").rate == Approx(3888.2e9));
}

TEST_CASE("clpeak: the first of several devices") {
  const BenchOutput output = read_bench(kBench / "clpeak_a100.txt");
  CHECK(output.tool == "clpeak");
  CHECK(output.device == "NVIDIA A100-SXM4-40GB");
  CHECK(figure(output, "global memory").rate == Approx(1464.44e9));
  CHECK(figure(output, "single precision").rate == Approx(19386.64e9));
  CHECK(figure(output, "double precision").rate == Approx(9723.09e9));
  CHECK(figure(output, "integer").rate == Approx(19357.90e9));
  CHECK(figure(output, "kernel launch").rate == Approx(5.76e-6));
  CHECK(output.figures.size() == 6);  // we do not measure transfers from the host
  CHECK_THAT(output.notes.at(0), Contains("first"));
}

TEST_CASE("nvbandwidth") {
  const BenchOutput one = read_bench(kBench / "nvbandwidth_a100.txt");
  CHECK(one.tool == "nvbandwidth");
  CHECK(one.device == "NVIDIA A100-SXM4-40GB");
  REQUIRE(one.figures.size() == 1);
  CHECK(one.figures[0].name == "host_to_device_memcpy_sm");
  CHECK(one.figures[0].rate == Approx(25.13e9));
  const BenchOutput six = read_bench(kBench / "nvbandwidth_a6000.txt");
  REQUIRE(six.figures.size() == 1);
  CHECK(six.figures[0].rate == Approx(26.35e9));
}

TEST_CASE("rocm_bandwidth_test") {
  const BenchOutput output = read_bench(kBench / "rocm_bandwidth_test_strix_halo.txt");
  CHECK(output.tool == "rocm_bandwidth_test");
  CHECK(output.device == "AMD Radeon Graphics");
  CHECK(figure(output, "within a GPU, one way").rate == Approx(212.419e9));
  CHECK(figure(output, "within a GPU, one way").our_roof == "copy");
  CHECK(figure(output, "between CPU and GPU, one way").rate == Approx(84.364e9));
  CHECK(figure(output, "between CPU and GPU, both ways").rate == Approx(83.489e9));
}

TEST_CASE("a CPU's own copy is not a GPU's, and a row of no device is none") {
  const BenchOutput output = from_text(
      "RocmBandwidthTest Version: 2.6.0\nDevice: 0, CPU\nDevice: 1, GPU, 03:0.0\n"
      "Unidirectional copy peak bandwidth GB/s\n D/D 0 1\n 0 500.0 20.0\n 1 20.0 80.0\n"
      " -1 900.0 900.0\n 2 900.0 900.0\n");
  CHECK(figure(output, "within a GPU, one way").rate == Approx(80e9));
  CHECK(figure(output, "between CPUs, one way").rate == Approx(500e9));
  CHECK(figure(output, "between CPUs, one way").our_roof.empty());
  CHECK(output.figures.size() == 3);
}

TEST_CASE("a number with a decimal comma is named, not left out") {
  CHECK_THROWS_WITH(from_text("BabelStream\nCopy 4386.1 1 1 1\nMul 4333,5 1 1 1\n"),
                    Contains(":3: 4333,5 has a decimal comma") && Contains("LC_ALL=C"));
}

TEST_CASE("what no benchmark printed") {
  CHECK_THROWS_WITH(from_text("hello\n"), Contains("BabelStream, mixbench"));
  CHECK_THROWS_WITH(from_text(""), Contains("empty"));
  CHECK_THROWS_WITH(from_text("BabelStream\nVersion: 4.0\n"), Contains("no figure"));
  CHECK_THROWS_WITH(from_text("BabelStream\nCopy nan\n"), Contains("no figure"));
  CHECK_THROWS_WITH(from_text("BabelStream\nCopy inf 1 1 1\n"), Contains("no figure"));
  CHECK_THROWS_WITH(from_text("Device 0:\nRunning x.\nmemcpy CE bandwidth (GB/s)\n 0 N/A\n"),
                    Contains("of nvbandwidth, but holds no figure"));
  CHECK_THROWS_WITH(from_text("RocmBandwidthTest Version: 2.6.0\n"), Contains("no figure"));
  CHECK_THROWS_WITH(read_bench("/nowhere.txt"), Contains("/nowhere.txt"));
}
