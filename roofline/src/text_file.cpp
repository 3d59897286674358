// SPDX-License-Identifier: MIT
// Whole files as text.
#include "roofline/text_file.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace roofline {

std::string read_text_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace roofline
