// SPDX-License-Identifier: MIT
// Launch limits of GPUs: a launch that only a CPU could make is an error on the CPU too.
#include "launch_limits.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gpu/error.hpp"

namespace gpu::cpu {
namespace {

struct Limits {
  std::string_view name;
  std::size_t shared_bytes;  // per block, after opting in
  int warp_width;            // 0: any

  /// For __shared__ arrays: 48 KiB on every CUDA GPU, all of the LDS on AMD.
  std::size_t static_shared_bytes() const {
    return warp_width == 64 ? shared_bytes : std::size_t{48} * 1024;
  }
};

// Sources: CUDA C++ Programming Guide, table "Technical Specifications per Compute Capability"
// (maximum shared memory per thread block); AMD CDNA 2 and 3 ISA guides (64 KiB LDS, wavefront 64).
constexpr std::size_t kKiB = 1024;
constexpr std::array kLimits = {
    Limits{"any", 227 * kKiB, 0},    Limits{"sm_70", 96 * kKiB, 32},
    Limits{"sm_75", 64 * kKiB, 32},  Limits{"sm_80", 163 * kKiB, 32},
    Limits{"sm_86", 99 * kKiB, 32},  Limits{"sm_89", 99 * kKiB, 32},
    Limits{"sm_90", 227 * kKiB, 32}, Limits{"sm_100", 227 * kKiB, 32},
    Limits{"gfx90a", 64 * kKiB, 64}, Limits{"gfx940", 64 * kKiB, 64},
    Limits{"gfx942", 64 * kKiB, 64}, Limits{"gfx950", 160 * kKiB, 64},
};
constexpr unsigned kMaxThreadsPerBlock = 1024, kMaxBlockZ = 64;
constexpr unsigned kMaxGridX = 2147483647, kMaxGridYZ = 65535;

[[noreturn]] void refuse(const KernelLaunch& launch, const std::string& why) {
  throw Error({.expression = "launch<" + std::string(launch.name) + ">",
               .where = launch.where,
               .driver_message = why,
               .kernel = std::string(launch.name)});
}

const Limits& chosen_limits(const KernelLaunch& launch) {
  const char* text = std::getenv("ROOFLINE_GPU_LIMITS");
  if (text == nullptr) return kLimits[0];
  std::string known;
  for (const auto& limits : kLimits) {
    if (limits.name == text) return limits;
    known += " " + std::string(limits.name);
  }
  refuse(launch, "ROOFLINE_GPU_LIMITS is '" + std::string(text) + "'; known are" + known);
}

std::string text_of(dim3 extent) {
  return std::to_string(extent.x) + " x " + std::to_string(extent.y) + " x " +
         std::to_string(extent.z);
}

}  // namespace

void check_limits(const KernelLaunch& launch) {
  const Limits& limits = chosen_limits(launch);
  const auto threads = std::uint64_t{launch.block.x} * launch.block.y * launch.block.z;
  if (threads == 0) refuse(launch, "a block of " + text_of(launch.block) + " has no threads");
  if (threads > kMaxThreadsPerBlock || launch.block.z > kMaxBlockZ) {
    refuse(launch, "a block of " + text_of(launch.block) +
                       " threads is larger than a GPU's: at most " +
                       std::to_string(kMaxThreadsPerBlock) + " threads, at most 64 in z");
  }
  if (launch.grid.x > kMaxGridX || launch.grid.y > kMaxGridYZ || launch.grid.z > kMaxGridYZ) {
    refuse(launch, "a grid of " + text_of(launch.grid) +
                       " blocks is larger than a GPU's: at most 2147483647 x 65535 x 65535");
  }
  if (launch.shared_bytes > limits.shared_bytes) {
    refuse(launch, std::to_string(launch.shared_bytes) +
                       " bytes of shared memory per block are more "
                       "than the " +
                       std::to_string(limits.shared_bytes) + " that a GPU (" +
                       std::string(limits.name) + ") has");
  }
  if ((launch.warp_width != 32 && launch.warp_width != 64) ||
      (limits.warp_width != 0 && launch.warp_width != limits.warp_width)) {
    refuse(launch, "warps of " + std::to_string(launch.warp_width) +
                       " lanes do not exist on this GPU (" + std::string(limits.name) +
                       "); choose 32 (NVIDIA) or 64 (AMD gfx9)");
  }
}

std::string refusal_of_static_shared(const KernelLaunch& launch, std::size_t static_bytes) {
  const Limits& limits = chosen_limits(launch);
  const auto too_many = [&](std::size_t bytes, const std::string& of, std::size_t most) {
    return std::to_string(bytes) + " bytes of shared memory per block" + of +
           " are more than the " + std::to_string(most) + " that a GPU (" +
           std::string(limits.name) + ") has";
  };
  const std::size_t most = limits.static_shared_bytes();
  if (static_bytes > most) {
    return too_many(static_bytes, " in __shared__ arrays", most) +
           " for arrays whose size the source gives. Make them smaller, or let the launch give the "
           "size: gpu::dynamic_shared<T>() and .shared_bytes.";
  }
  if (static_bytes + launch.shared_bytes <= limits.shared_bytes) return {};
  return too_many(static_bytes + launch.shared_bytes,
                  " (" + std::to_string(static_bytes) + " in __shared__ arrays, " +
                      std::to_string(launch.shared_bytes) + " by the launch)",
                  limits.shared_bytes);
}

}  // namespace gpu::cpu
