// SPDX-License-Identifier: MIT
// `roofline plot`: the chart of a machine, in the terminal or as an image.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "base/files.hpp"
#include "base/terminal.hpp"
#include "commands.hpp"
#include "gnuplot_image.hpp"
#include "roofline/chart/chart.hpp"
#include "roofline/chart/chart_html.hpp"
#include "roofline/kernel/kernel_name.hpp"
#include "roofline/measurement.hpp"
#include "roofline/profile.hpp"
#include "roofline/units.hpp"

namespace roofline::program {
namespace {

struct PlotArguments {
  std::string machine;
  std::vector<std::string> kernels;
  std::vector<std::string> precisions;
  std::vector<std::string> profiles;
  std::vector<std::string> point_files;
  std::string out_file;
  bool terminal = false;
  bool ascii = false;
  bool no_advice = false;
  int columns = 80;
};

// A plain number is in the base unit; 3.2 and "3.2 FLOP/B" are the same.
double parse_amount(const std::string& text, const Dimension& dimension) {
  const Quantity quantity = parse_quantity(text);
  if (quantity.dimension == kNumber) return quantity.value;
  return parse_quantity_as(text, dimension);
}

ChartPoint parse_kernel(const std::string& text) {
  const auto last = text.rfind(':');
  const auto middle = last == std::string::npos || last == 0 ? last : text.rfind(':', last - 1);
  if (middle == std::string::npos || middle == 0) {
    throw std::invalid_argument("--kernel '" + text +
                                "' is not NAME:INTENSITY:RATE, such as triad:0.083:150GFLOP/s");
  }
  return {text.substr(0, middle),
          parse_amount(text.substr(middle + 1, last - middle - 1), kOperationsPerByte),
          parse_amount(text.substr(last + 1), kOperationsPerSecond)};
}

ImageFormat format_of(const std::filesystem::path& file) {
  if (file.extension() == ".svg") return ImageFormat::kSvg;
  if (file.extension() == ".png") return ImageFormat::kPng;
  throw std::invalid_argument("--out must end in .svg, .png or .html: " + file.string());
}

void write_image(const Chart& chart, const std::filesystem::path& file) {
  const ImageFormat format = format_of(file);
  draw_with_gnuplot(file, [&](const std::string& unfinished) {
    return gnuplot_script(chart, format, unfinished);
  });
}

void write_page(const Chart& chart, const std::filesystem::path& file) {
  const ChartLibrary library = find_chart_library();
  base::write_file_atomically(file, draw_html(chart, library.script, library.licence));
}

// Kernels that computed nothing or moved nothing cannot be placed on logarithmic axes. Others that
// are left out are reported.
void add_profile(Chart& chart, const std::string& file) {
  constexpr std::size_t kNameWidth = 40;
  int unknown = 0;
  for (const KernelProfile& kernel : import_profile(file).kernels) {
    if (!kernel.counts || !kernel.counts->flops_known()) {
      ++unknown;
      continue;
    }
    const ProfilePoint point = place(*kernel.counts);
    if (!std::isfinite(point.intensity) || point.intensity <= 0) continue;
    chart.points.push_back({short_kernel_name(kernel.name, kNameWidth), point.intensity,
                            point.flops_per_second, !kernel.counts->uncounted.empty()});
  }
  if (unknown > 0) {
    std::fprintf(stderr,
                 "roofline: of %s, %d launches are not on the chart, as their FLOPs are unknown; "
                 "roofline import says why\n",
                 file.c_str(), unknown);
  }
}

// The output of roofline.cu and of the lab programs: a name, FLOP/B and GFLOP/s per row.
void add_points(Chart& chart, const std::string& file) {
  constexpr double kGiga = 1e9;
  const base::CsvFile csv(file);
  const std::string name = csv.has("name") ? "name" : "program";
  if (csv.size() == 0) throw std::runtime_error(file + ": contains no row of points");
  for (std::size_t row = 0; row < csv.size(); ++row) {
    chart.points.push_back({csv.field(row, name),
                            parse_amount(csv.field(row, "flop_per_byte"), kOperationsPerByte),
                            kGiga * parse_amount(csv.field(row, "gflop_per_s"), kNumber)});
  }
}

Chart chart_from(const PlotArguments& arguments) {
  std::vector<Precision> precisions;
  for (const std::string& name : arguments.precisions) precisions.push_back(parse_precision(name));
  Chart chart =
      chart_of(load_machine(resolve_machine(arguments.machine, machine_folder())), precisions);
  for (const std::string& kernel : arguments.kernels) chart.points.push_back(parse_kernel(kernel));
  for (const std::string& file : arguments.profiles) add_profile(chart, file);
  for (const std::string& file : arguments.point_files) add_points(chart, file);
  return chart;
}

void run(const PlotArguments& arguments) {
  const Chart chart = chart_from(arguments);
  if (!arguments.out_file.empty()) {
    const std::filesystem::path file = arguments.out_file;
    file.extension() == ".html" ? write_page(chart, file) : write_image(chart, file);
  }
  if (arguments.terminal || arguments.out_file.empty()) {
    const bool unicode = !arguments.ascii && base::locale_is_utf8();
    std::fputs(draw_terminal(chart, arguments.columns, 22, unicode).c_str(), stdout);
    if (!arguments.no_advice) std::fputs(advice_text(chart, arguments.columns).c_str(), stdout);
  }
}

}  // namespace

void add_plot_command(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("plot", "Draw a machine's roofline with kernels on it");
  auto arguments = std::make_shared<PlotArguments>();
  command
      ->add_option("machine", arguments->machine,
                   "Id of a machine, or a file (.toml, or .json of roofline measure)")
      ->required();
  command->add_option("--kernel", arguments->kernels,
                      "NAME:INTENSITY:RATE, such as triad:0.083:150GFLOP/s; may be repeated");
  command->add_option("--profile", arguments->profiles,
                      "Profiler output (as roofline import reads it); its kernels become points");
  command->add_option("--points", arguments->point_files,
                      "CSV of roofline.cu or of a lab (--csv); its rows become points");
  command->add_option("--precision", arguments->precisions, "Only these ceilings, such as fp32")
      ->delimiter(',');
  command->add_option(
      "--out", arguments->out_file,
      "Write an image (.svg or .png, needs gnuplot) or a page (.html, needs Chart.js)");
  command->add_flag("--terminal", arguments->terminal, "Draw in the terminal (the default)");
  command->add_flag("--ascii", arguments->ascii, "Use plain ASCII in the terminal");
  command->add_flag("--no-advice", arguments->no_advice,
                    "Leave out the advice below the chart in the terminal");
  command->add_option("--columns", arguments->columns, "Width in the terminal")
      ->check(CLI::Range(40, 400));
  command->callback([arguments] { run(*arguments); });
}

}  // namespace roofline::program
