// SPDX-License-Identifier: MIT
// Closing a descriptor.
#include "base/descriptor.hpp"

#include <unistd.h>

namespace base {

void Descriptor::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

}  // namespace base
