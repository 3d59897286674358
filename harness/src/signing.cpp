// SPDX-License-Identifier: MIT
// Signatures over the number and the bytes of a message.
#include "harness/signing.hpp"

#include <random>

namespace harness {
namespace {

std::int64_t signature(const base::SipKey& key, Speaker speaker, std::int64_t number,
                       const std::string& bytes) {
  std::string text(1, static_cast<char>(speaker));
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
  text += bytes;
  return static_cast<std::int64_t>(base::siphash(key, text));
}

}  // namespace

Value signed_message(const base::SipKey& key, Speaker speaker, std::int64_t number,
                     const Value& message) {
  std::string bytes = message.encode();
  const std::int64_t mark = signature(key, speaker, number, bytes);
  return Value::list(number, std::move(bytes), mark);
}

Value checked_message(const base::SipKey& key, Speaker speaker, std::int64_t number,
                      const Value& signed_value) {
  const std::string& bytes = signed_value.at(1).text();
  if (signed_value.at(0).integer() != number ||
      signed_value.at(2).integer() != signature(key, speaker, number, bytes)) {
    throw ProtocolError("a message with an invalid signature");
  }
  return Value::decode(bytes);
}

Asker::Asker() {
  std::random_device random;
  for (std::uint64_t& word : key_) {
    word = (std::uint64_t{random()} << 32U) | random();
  }
}

}  // namespace harness
