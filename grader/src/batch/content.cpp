// SPDX-License-Identifier: MIT
// SHA-256 over texts and trees of files.
#include "grader/batch/content.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "base/files.hpp"
#include "base/hex.hpp"

namespace grader {

namespace fs = std::filesystem;

std::string sha256(const std::string& text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr);
  return base::to_hex({reinterpret_cast<const char*>(digest.data()), length});
}

std::string hash_of_files(const std::vector<fs::path>& paths) {
  std::vector<fs::path> files;
  for (const fs::path& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::string all;
  for (const fs::path& file : files) {
    all += file.string() + '\0' +
           (fs::exists(file) ? sha256(base::read_file_if_any(file)) : "absent") + '\0';
  }
  return sha256(all);
}

}  // namespace grader
