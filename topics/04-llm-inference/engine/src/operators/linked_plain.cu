// SPDX-License-Identifier: MIT
// The engine's own kernels, for classes that hand out no solutions.
#include "engine/operators/labs.hpp"

namespace engine {

LabKernels linked_kernels() {
  return plain_kernels();
}

const char* linked_name() {
  return "the engine's own";
}

}  // namespace engine
