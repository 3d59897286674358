// SPDX-License-Identifier: MIT
// Signed requests and replies. A student's function runs in the process that replies, and holds the
// socket: without the key it can neither reply in the harness's place nor hand it other requests.
#pragma once

#include <cstdint>
#include <string>

#include "base/siphash.hpp"
#include "harness/value.hpp"

namespace harness {

/// Who speaks.
enum class Speaker : std::uint8_t { kAsking, kReplying };

/// A message as it crosses: its number, its bytes, and what shows that the key's owner sent it.
Value signed_message(const base::SipKey& key, Speaker speaker, std::int64_t number,
                     const Value& message);
/// The message in it. @throws ProtocolError when it is another speaker's, has another number, or
/// was not signed with this key.
Value checked_message(const base::SipKey& key, Speaker speaker, std::int64_t number,
                      const Value& signed_value);

/// The side that asks: it chooses the key, and numbers its requests.
class Asker {
 public:
  /// A key that nobody else has.
  Asker();
  const base::SipKey& key() const { return key_; }
  /// The next request.
  Value request(const Value& message) {
    return signed_message(key_, Speaker::kAsking, ++number_, message);
  }
  /// The reply to it. @throws ProtocolError, see checked_message().
  Value reply(const Value& signed_value) const {
    return checked_message(key_, Speaker::kReplying, number_, signed_value);
  }

 private:
  base::SipKey key_{};
  std::int64_t number_ = 0;
};

}  // namespace harness
