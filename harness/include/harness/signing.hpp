// SPDX-License-Identifier: MIT
// Signed requests and replies. A student's function runs in the process that replies and has access
// to the socket. Without the key it can neither reply in place of the harness nor send it requests.
#pragma once

#include <cstdint>
#include <string>

#include "base/siphash.hpp"
#include "harness/value.hpp"

namespace harness {

/// The sender of a message.
enum class Speaker : std::uint8_t { kAsking, kReplying };

/// A message for transmission: its number, its bytes, and the signature of the key's owner.
Value signed_message(const base::SipKey& key, Speaker speaker, std::int64_t number,
                     const Value& message);
/// The message in it. @throws ProtocolError if it is from the other side, has another number, or
/// was not signed with this key.
Value checked_message(const base::SipKey& key, Speaker speaker, std::int64_t number,
                      const Value& signed_value);

/// The requesting side: it chooses the key, and numbers its requests.
class Asker {
 public:
  /// Draws a new secret key.
  Asker();
  const base::SipKey& key() const { return key_; }
  /// The next request.
  Value request(const Value& message) {
    return signed_message(key_, Speaker::kAsking, ++number_, message);
  }
  /// The reply to the last request. @throws ProtocolError, see checked_message().
  Value reply(const Value& signed_value) const {
    return checked_message(key_, Speaker::kReplying, number_, signed_value);
  }

 private:
  base::SipKey key_{};
  std::int64_t number_ = 0;
};

}  // namespace harness
