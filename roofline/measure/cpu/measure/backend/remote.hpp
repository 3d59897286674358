// SPDX-License-Identifier: MIT
// Remote memory of a CPU core, that of another socket, is not measured.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace roofline::measure {

inline constexpr std::array<std::string_view, 0> kFarLevels{};

/// Always throws std::runtime_error.
inline std::shared_ptr<std::uint64_t> far_words(std::string_view, std::size_t) {
  throw std::runtime_error("memory of another socket is not measured");
}

}  // namespace roofline::measure
