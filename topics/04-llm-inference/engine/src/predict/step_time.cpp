// SPDX-License-Identifier: MIT
// Which level the weights of a small model come from.
#include "engine/predict/step_time.hpp"

#include "roofline/llm/predict.hpp"

namespace engine {

StepTime predict_step(const roofline::Machine& machine, double bytes) {
  StepTime time{.bytes = bytes, .level = "DRAM"};
  for (const roofline::MemoryLevel& level : machine.levels) {
    if (level.name == "L1" || level.name == "DRAM") continue;
    if (!level.capacity_bytes || !level.bytes_per_second) continue;
    if (*level.capacity_bytes * level.instances < bytes) continue;
    time.level = level.name;
    time.bytes_per_second = *level.bytes_per_second;
    break;
  }
  if (time.bytes_per_second == 0) {
    time.bytes_per_second = roofline::llm::streaming_bandwidth(machine);
  }
  time.seconds = bytes / time.bytes_per_second;
  return time;
}

}  // namespace engine
