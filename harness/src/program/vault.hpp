// SPDX-License-Identifier: MIT
// The key of a program that serves, out of reach of the student's code in it.
#pragma once

#include "harness/value.hpp"

namespace harness {

/// The message in a request. @throws ProtocolError when it is not the next one of who sent the key.
Value checked_request(const Value& signed_request);
/// The reply to the last request.
Value signed_reply(const Value& reply);

}  // namespace harness
