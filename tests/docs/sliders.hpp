// SPDX-License-Identifier: MIT
// Moves the site's sliders, and compares what they show with the C++.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "browser.hpp"

namespace site_test {

/// What Sliders::run() did.
struct SliderUse {
  std::map<std::string, int> inputs;  ///< settings compared, by control
  int numbers = 0;                    ///< shown and compared
  int bad = 0;                        ///< of settings and of numbers; the first ones are printed
};

/// Sets the controls of each explorer to thousands of values (the stride's to all) and compares
/// each number, the position of the dot by the ticks of its axes, and its distance from the curve.
SliderUse use_sliders(Browser& browser, const std::filesystem::path& root,
                      const std::filesystem::path& site);

}  // namespace site_test
