// SPDX-License-Identifier: MIT
// Images drawn by gnuplot.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace roofline::program {

/// Writes an image. `script_for` returns the script that draws into a given file, which lies beside
/// `file` and is renamed when it is complete, so that a failure leaves no partial image.
/// @throws std::runtime_error if the file cannot be written, or gnuplot is missing or fails.
void draw_with_gnuplot(const std::filesystem::path& file,
                       const std::function<std::string(const std::string&)>& script_for);

}  // namespace roofline::program
