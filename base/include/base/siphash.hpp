// SPDX-License-Identifier: MIT
// A short keyed hash: without the key, nobody can compute it or find a text that has a given hash.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace base {

using SipKey = std::array<std::uint64_t, 2>;

/// SipHash-2-4 of `text` (Aumasson, Bernstein, "SipHash: a fast short-input PRF", 2012).
inline std::uint64_t siphash(const SipKey& key, std::string_view text) {
  std::uint64_t v0 = key[0] ^ 0x736f6d6570736575U, v1 = key[1] ^ 0x646f72616e646f6dU;
  std::uint64_t v2 = key[0] ^ 0x6c7967656e657261U, v3 = key[1] ^ 0x7465646279746573U;
  const auto mix = [&](int rounds) {
    for (int i = 0; i < rounds; ++i) {
      v0 += v1;
      v1 = std::rotl(v1, 13) ^ v0;
      v0 = std::rotl(v0, 32);
      v2 += v3;
      v3 = std::rotl(v3, 16) ^ v2;
      v0 += v3;
      v3 = std::rotl(v3, 21) ^ v0;
      v2 += v1;
      v1 = std::rotl(v1, 17) ^ v2;
      v2 = std::rotl(v2, 32);
    }
  };
  const auto absorb = [&](std::uint64_t word) {
    v3 ^= word;
    mix(2);
    v0 ^= word;
  };
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  std::size_t at = 0;
  for (; at + kWord <= text.size(); at += kWord) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, kWord);
    absorb(word);
  }
  std::uint64_t last = std::uint64_t{text.size()} << 56U;
  for (std::size_t i = 0; at + i < text.size(); ++i) {
    last |= std::uint64_t{static_cast<unsigned char>(text[at + i])} << (8 * i);
  }
  absorb(last);
  v2 ^= 0xff;
  mix(4);
  return v0 ^ v1 ^ v2 ^ v3;
}

}  // namespace base
