// SPDX-License-Identifier: MIT
// SHA-256 over texts and trees of files.
#include "grader/batch/content.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>

#include "base/hex.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

/// The hash of a file's bytes, read in pieces: programs and libraries of tens of megabytes are
/// hashed at the start of every batch, and holding them whole took longer than hashing them.
std::string sha256_of_file(const fs::path& file) {
  constexpr std::size_t kPiece = 1 << 18;
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
  std::vector<char> piece(kPiece);
  std::ifstream in(file, std::ios::binary);
  while (in.read(piece.data(), kPiece), in.gcount() > 0) {
    EVP_DigestUpdate(context.get(), piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_DigestFinal_ex(context.get(), digest.data(), &length);
  return base::to_hex({reinterpret_cast<const char*>(digest.data()), length});
}

}  // namespace

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
    all += file.string() + '\0' + (fs::exists(file) ? sha256_of_file(file) : "absent") + '\0';
  }
  return sha256(all);
}

}  // namespace grader
