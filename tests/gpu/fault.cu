// SPDX-License-Identifier: MIT
// A kernel that faults: the next check must report it by name. The device is unusable afterwards,
// so this is a separate program; on the CPU its kernels are checked.
#include <string>

#include "gpu/gpu.hpp"
#include "support/catch.hpp"

__global__ void harmless(int* value) {
  *value = 1;
}

__global__ void wild_write(int* nowhere) {
  nowhere[threadIdx.x] = 1;
}

TEST_CASE("a fault is reported at the next check with the kernel's name") {
  gpu::DeviceBuffer<int> value(1);
  gpu::launch<harmless>(1, 1, value.data());
  gpu::synchronize();
  std::string kernel, words;
  try {
    gpu::launch<wild_write>(1, 32, reinterpret_cast<int*>(0x10));
    gpu::synchronize();
  } catch (const gpu::Error& error) {
    kernel = error.kernel();
    words = error.driver_message();
  }
  REQUIRE(kernel == "wild_write");
  REQUIRE(!words.empty());
}  // releasing the buffer of a broken device must not throw
