// SPDX-License-Identifier: MIT
// Chart.js comes from the distribution; pages embed it, so that viewing needs no network.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "roofline/chart/chart_html.hpp"

namespace roofline {
namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

}  // namespace

ChartLibrary find_chart_library() {
  const char* chosen = std::getenv("ROOFLINE_CHART_JS");
  const std::filesystem::path file =
      chosen ? chosen : "/usr/share/javascript/chart.js/chart.min.js";
  ChartLibrary library{content_of(file), content_of("/usr/share/doc/libjs-chart.js/copyright")};
  if (library.script.empty()) {
    throw std::runtime_error(
        "HTML charts are drawn by Chart.js, and " + file.string() +
        " is missing; on Debian and Ubuntu: sudo apt-get install libjs-chart.js "
        "(or set ROOFLINE_CHART_JS to a chart.min.js)");
  }
  if (library.licence.empty()) library.licence = "Chart.js: MIT licence, https://www.chartjs.org";
  return library;
}

}  // namespace roofline
