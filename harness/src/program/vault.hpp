// SPDX-License-Identifier: MIT
// The key of a serving program, out of reach of the student's code in it.
#pragma once

#include "harness/value.hpp"

namespace harness {

/// The message in a request. @throws ProtocolError if it is not the key sender's next one.
Value checked_request(const Value& signed_request);
/// The reply to the last request.
Value signed_reply(const Value& reply);

}  // namespace harness
