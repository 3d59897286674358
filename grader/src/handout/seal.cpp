// SPDX-License-Identifier: MIT
// PBKDF2 over bin names gives the AES-GCM keys. docs/site/selfcheck.js opens the same seals with
// WebCrypto; a test compares the two.
#include "grader/handout/seal.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "base/hex.hpp"
#include "grader/judge/number.hpp"

namespace grader {
namespace {

using Bytes = std::string;

constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kNonceBytes = 12;
constexpr std::size_t kTagBytes = 16;
constexpr const char* kDamaged = "a sealed answer is damaged";
constexpr double kBinsPerTolerance = 3;
/// The tolerance for exact numbers: rounding to 12 digits.
constexpr double kExact = 1e-11;

Bytes from_hex(const std::string& text) {
  try {
    return base::from_hex(text);
  } catch (const std::invalid_argument&) {
    throw std::runtime_error(kDamaged);
  }
}

const unsigned char* raw(const char* bytes) {
  return reinterpret_cast<const unsigned char*>(bytes);
}
unsigned char* raw(char* bytes) {
  return reinterpret_cast<unsigned char*>(bytes);
}

Bytes key_for(const Seal& seal, const std::string& name) {
  const std::string password = seal.label + "|" + name;
  const Bytes salt = from_hex(seal.salt);
  Bytes key(kKeyBytes, '\0');
  if (PKCS5_PBKDF2_HMAC(password.data(), static_cast<int>(password.size()), raw(salt.data()),
                        static_cast<int>(salt.size()), seal.iterations, EVP_sha256(),
                        static_cast<int>(kKeyBytes), raw(key.data())) != 1) {
    throw std::runtime_error("PBKDF2 failed");
  }
  return key;
}

Bytes random_bytes(std::size_t count) {
  Bytes bytes(count, '\0');
  if (RAND_bytes(raw(bytes.data()), static_cast<int>(count)) != 1) {
    throw std::runtime_error("no random numbers");
  }
  return bytes;
}

Seal empty_seal(const std::string& label, int iterations) {
  Seal seal;
  seal.label = label;
  seal.salt = base::to_hex(random_bytes(16));
  seal.iterations = iterations;
  return seal;
}

using Cipher = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

/// AES-256-GCM in WebCrypto's format: nonce, encrypted text, tag; in hexadecimal.
std::string encrypted(const Bytes& key, const std::string& text) {
  const Bytes nonce = random_bytes(kNonceBytes);
  Bytes data(text.size(), '\0');
  Bytes tag(kTagBytes, '\0');
  const Cipher cipher(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  int length = 0;
  if (EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, raw(key.data()),
                         raw(nonce.data())) != 1 ||
      EVP_EncryptUpdate(cipher.get(), raw(data.data()), &length, raw(text.data()),
                        static_cast<int>(text.size())) != 1 ||
      EVP_EncryptFinal_ex(cipher.get(), nullptr, &length) != 1 ||
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, kTagBytes, tag.data()) != 1) {
    throw std::runtime_error("AES-GCM failed");
  }
  return base::to_hex(nonce + data + tag);
}

/// The text; nothing when it was encrypted with another key.
std::optional<std::string> decrypted(const Bytes& key, const std::string& ciphertext) {
  const Bytes bytes = from_hex(ciphertext);
  if (bytes.size() < kNonceBytes + kTagBytes) throw std::runtime_error(kDamaged);
  const Bytes data = bytes.substr(kNonceBytes, bytes.size() - kNonceBytes - kTagBytes);
  Bytes tag = bytes.substr(bytes.size() - kTagBytes);
  Bytes text(data.size(), '\0');
  const Cipher cipher(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  int length = 0;
  if (EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, raw(key.data()),
                         raw(bytes.data())) != 1 ||
      EVP_DecryptUpdate(cipher.get(), raw(text.data()), &length, raw(data.data()),
                        static_cast<int>(data.size())) != 1 ||
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, kTagBytes, tag.data()) != 1) {
    throw std::runtime_error("AES-GCM failed");
  }
  if (EVP_DecryptFinal_ex(cipher.get(), nullptr, &length) != 1) return std::nullopt;
  return text;
}

std::string number_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// "VALUE RTOL ATOL MESSAGE": the message of the right answer is empty.
std::string plaintext_of(double value, double rtol, double atol, const std::string& message) {
  return number_text(value) + " " + number_text(rtol) + " " + number_text(atol) + " " + message;
}

/// A value, how near to it another one counts as the same, and the content of its ciphertext.
struct Plaintext {
  double value = 0;
  double rtol = 0;
  std::string text;
};

/// Each ciphertext begins with a random nonce, so the sorted order reveals nothing.
void shuffle(Seal& seal) {
  std::sort(seal.ciphertexts.begin(), seal.ciphertexts.end());
}

/// The text of a ciphertext, without the padding that makes all ciphertexts of a seal equally long.
std::string unpadded(std::string message) {
  message.erase(message.find_last_not_of(' ') + 1);
  return message;
}

std::optional<Opened> read_plaintext(const std::string& text, double value) {
  std::istringstream in(text);
  double reference = 0;
  double rtol = 0;
  double atol = 0;
  if (!(in >> reference >> rtol >> atol)) throw std::runtime_error(kDamaged);
  in.get();
  Opened opened;
  opened.value = reference;
  std::getline(in, opened.message, '\0');
  opened.message = unpadded(opened.message);
  opened.is_right = opened.message.empty();
  if (!within(value, reference, rtol, atol)) return std::nullopt;
  return opened;
}

}  // namespace

Grid grid_for(double reference, double rtol, double atol) {
  const double relative = std::max(rtol, kExact);
  if (atol > 0 && rtol * std::fabs(reference) <= atol) {
    return {false, atol / kBinsPerTolerance, 2 * static_cast<int>(kBinsPerTolerance) + 1};
  }
  // ln(1 + r) < r < -ln(1 - r): one more bin on each side covers both ends.
  const double reach = std::ceil(kBinsPerTolerance * -std::log(1 - std::min(relative, 0.5)) /
                                 std::min(relative, 0.5));
  return {true, relative / kBinsPerTolerance, static_cast<int>(reach) + (atol > 0 ? 4 : 1)};
}

std::string bin_name(const Grid& grid, double x, int steps) {
  const auto number = [&](double position) {
    char text[40];
    std::snprintf(text, sizeof text, "%.0f", std::floor(position) + steps);
    return std::string(text);
  };
  if (!grid.logarithmic) return number(x / grid.width);
  if (x == 0) return "0";
  return (x > 0 ? "+" : "-") + number(std::log(std::fabs(x)) / grid.width);
}

Seal seal_number(const std::string& label, double reference, double rtol, double atol,
                 const std::vector<SealedMistake>& mistakes, int iterations) {
  Seal seal = empty_seal(label, iterations);
  const double relative = std::max(rtol, kExact);
  seal.grid = grid_for(reference, rtol, atol);
  std::vector<Plaintext> plaintexts = {
      {reference, relative, plaintext_of(reference, relative, atol, "")}};
  for (const SealedMistake& mistake : mistakes) {
    if (mistake.message.empty() || within(mistake.value, reference, relative, atol)) continue;
    const double narrow = mistake.is_exact ? kExact : std::min(relative, 0.01);
    const bool is_taken =
        std::any_of(plaintexts.begin() + 1, plaintexts.end(), [&](const Plaintext& other) {
          return within(mistake.value, other.value, std::min(narrow, other.rtol), 0);
        });
    if (is_taken) continue;
    plaintexts.push_back(
        {mistake.value, narrow, plaintext_of(mistake.value, narrow, 0, mistake.message)});
  }
  // The right answer's text is the shortest, so pad all to the same length.
  std::size_t longest = 0;
  for (const Plaintext& plaintext : plaintexts) longest = std::max(longest, plaintext.text.size());
  for (Plaintext& plaintext : plaintexts) {
    plaintext.text.resize(longest, ' ');
    seal.ciphertexts.push_back(
        encrypted(key_for(seal, bin_name(seal.grid, plaintext.value)), plaintext.text));
  }
  shuffle(seal);
  return seal;
}

Seal seal_word(const std::string& label, const std::string& word,
               const std::vector<SealedWord>& mistakes, int iterations) {
  Seal seal = empty_seal(label, iterations);
  std::vector<SealedWord> plaintexts = {{word, ""}};
  std::size_t longest = 0;
  for (const SealedWord& mistake : mistakes) {
    if (mistake.word == word) continue;
    plaintexts.push_back(mistake);
    longest = std::max(longest, mistake.message.size());
  }
  for (SealedWord& plaintext : plaintexts) {
    plaintext.message.resize(longest, ' ');
    seal.ciphertexts.push_back(
        encrypted(key_for(seal, "word " + plaintext.word), plaintext.message));
  }
  shuffle(seal);
  return seal;
}

std::optional<Opened> open_number(const Seal& seal, double value) {
  std::optional<Opened> mistake;
  for (int steps = -seal.grid.reach; steps <= seal.grid.reach; ++steps) {
    const std::string name = bin_name(seal.grid, value, steps);
    const Bytes key = key_for(seal, name);
    for (const std::string& ciphertext : seal.ciphertexts) {
      const std::optional<std::string> text = decrypted(key, ciphertext);
      if (!text) continue;
      const std::optional<Opened> opened = read_plaintext(*text, value);
      if (opened && opened->is_right) return opened;
      const bool is_nearer = opened && (!mistake || std::fabs(value - opened->value) <
                                                        std::fabs(value - mistake->value));
      if (is_nearer) mistake = opened;
    }
    if (name == "0") break;  // zero has no neighbours
  }
  return mistake;
}

Opened open_word(const Seal& seal, const std::string& word) {
  const Bytes key = key_for(seal, "word " + word);
  for (const std::string& ciphertext : seal.ciphertexts) {
    const std::optional<std::string> text = decrypted(key, ciphertext);
    if (!text) continue;
    const std::string message = unpadded(*text);
    return {message.empty(), message};
  }
  return {};
}

}  // namespace grader
