// SPDX-License-Identifier: MIT
// The bytes and roofs in the text of 03.hier.limit are those of the profile and the measured H200.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "grader/exercise/exercise.hpp"
#include "roofline/machine.hpp"
#include "roofline/profile.hpp"
#include "support/catch.hpp"

namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;

const fs::path kProject = RL_PROJECT;

grader::Exercise exercise(const std::string& id) {
  std::vector<grader::SchemaError> errors;
  const fs::path folder = kProject / "topics" / "03-roofline-modeling";
  for (const grader::Exercise& candidate : grader::load_topic(folder, errors).exercises) {
    if (candidate.id == id) return candidate;
  }
  throw std::runtime_error("no exercise " + id);
}

roofline::KernelCounts naive_product() {
  const fs::path file = kProject / "topics/03-roofline-modeling/profiles/kernels_h200.csv";
  for (const roofline::KernelProfile& kernel : roofline::import_profile(file).kernels) {
    if (kernel.name.find("gemm_naive_kernel") != std::string::npos && kernel.counts) {
      return *kernel.counts;
    }
  }
  throw std::runtime_error("no profile of the naive product");
}

}  // namespace

TEST_CASE("the question on the hierarchy has the profile's bytes and the measured roofs") {
  const std::string task = exercise("03.hier.limit").task;
  const roofline::KernelCounts counts = naive_product();
  for (const char* level : {"L1", "L2", "DRAM"}) {
    CHECK_THAT(task, Contains(fmt::format("{:.1f} GB", counts.bytes.at(level) / 1e9)));
  }
  CHECK_THAT(task, Contains(fmt::format("{:.1f} GFLOP", counts.flops() / 1e9)));
  const roofline::Machine stated = roofline::load_machine(kProject / "data/machines/h200-sxm.toml");
  const roofline::Machine measured =
      roofline::load_machine(kProject / "data/measured/h200_roofs.json");
  CHECK_THAT(task, Contains(fmt::format("{:.1f} TB/s from L1", bandwidth(stated, "L1") / 1e12)));
  CHECK_THAT(task, Contains(fmt::format("{:.2f} TB/s from L2", bandwidth(stated, "L2") / 1e12)));
  CHECK_THAT(task,
             Contains(fmt::format("{:.2f} TB/s from DRAM", measured.streams.at("read") / 1e12)));
  const roofline::Peak* peak =
      roofline::find_peak(measured, roofline::Precision::kFp32, roofline::Unit::kVector);
  CHECK_THAT(task, Contains(fmt::format("{:.1f} TFLOP/s", peak->operations_per_second / 1e12)));
}

TEST_CASE("L1 and L2 of the H200's file are what was measured") {
  const roofline::Machine stated = roofline::load_machine(kProject / "data/machines/h200-sxm.toml");
  const roofline::Machine measured =
      roofline::load_machine(kProject / "data/measured/h200_roofs.json");
  CHECK(bandwidth(stated, "L2") == Approx(bandwidth(measured, "L2")).epsilon(0.001));
  // The lab's ladder found more than `roofline measure`: a roof is the highest rate that was seen.
  CHECK(bandwidth(stated, "L1") == Approx(19312.4e9).epsilon(0.001));
  CHECK(bandwidth(measured, "L1") < bandwidth(stated, "L1"));
  for (const char* level : {"L1", "L2"}) {
    CHECK(memory_level(stated, level).provenance.confidence == roofline::Confidence::kMeasured);
  }
}
