// SPDX-License-Identifier: MIT
// Text inside HTML pages.
#pragma once

#include <string>

namespace base {

/// `text` escaped for HTML, also for use in a double-quoted attribute.
std::string html_escaped(const std::string& text);

}  // namespace base
