// SPDX-License-Identifier: MIT
// The wrong and hostile sources among the course's tests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// A wrong or hostile source, and the exercise that it must not pass.
struct Bad {
  std::filesystem::path file;  ///< of tests/wrong or tests/adversarial
  std::string text;
  std::string exercise;
};

/// The sources of a folder that name the exercise refusing them, sorted. @throws if none does.
std::vector<Bad> bad_sources(const std::filesystem::path& root,
                             const std::filesystem::path& folder);

/// Attacks on the SAXPY kernel of any course; those on its speed only matter where time is
/// measured.
std::vector<Bad> hostile_kernels(const std::filesystem::path& root);
