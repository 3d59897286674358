// SPDX-License-Identifier: MIT
// site_data PROJECT_ROOT FILE writes what the site's scripts know, as a script: pages that are
// opened as files may load scripts only.
#include <cstdio>
#include <exception>

#include "base/files.hpp"
#include "roofline/measurement.hpp"
#include "site_data.hpp"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: site_data PROJECT_ROOT FILE\n", stderr);
    return 2;
  }
  try {
    base::write_file_atomically(argv[2],
                                "window.rlData = " + docs::site_data(argv[1]).dump() + ";\n");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "site_data: %s\n", error.what());
    return 1;
  }
}
