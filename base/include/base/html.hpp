// SPDX-License-Identifier: MIT
// Text inside HTML pages.
#pragma once

#include <string>

namespace base {

/// `text` so that it stands for itself in HTML, also between double quotes of an attribute.
std::string html_escaped(const std::string& text);

}  // namespace base
