// SPDX-License-Identifier: MIT
// Attack 20: defines the function of the harness that answers the grader.
// Refused: 90.saxpy | crashed
// Stopped by: the object file is inspected; an end without a reply is a crash
#include <unistd.h>

#include "harness/channel.hpp"

namespace harness {
int serve(Channel channel);
int serve(Channel channel) {
  while (channel.receive()) channel.send(Value::list("ok", 1, "cpu", "any device", "any compiler"));
  return 0;
}
}  // namespace harness
