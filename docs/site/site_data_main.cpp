// SPDX-License-Identifier: MIT
// site_data PROJECT_ROOT FILE writes the data for the site's scripts, as a script: pages opened as
// files may load only scripts.
#include <cstdio>
#include <exception>

#include "base/files.hpp"
#include "site_data.hpp"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: site_data PROJECT_ROOT FILE\n", stderr);
    return 2;
  }
  try {
    base::write_file_atomically(argv[2], docs::site_data(argv[1]));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "site_data: %s\n", error.what());
    return 1;
  }
}
