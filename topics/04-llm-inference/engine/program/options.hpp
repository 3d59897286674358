// SPDX-License-Identifier: MIT
// The command line of engine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/generate/generator.hpp"

namespace engine::program {

struct Options {
  std::string model;
  std::vector<std::string> prompts;
  std::vector<std::int32_t> prompt_ids;
  bool chat = false;
  bool prints_ids = false;
  int tokens = 64;
  Sampling sampling;
  WeightFormat weights = WeightFormat::kFp32;
  CacheFormat cache = CacheFormat::kBf16;
  std::int32_t context = 0;
  std::string machine;
  std::string save_int8;
  std::string save_int4;
};

}  // namespace engine::program
