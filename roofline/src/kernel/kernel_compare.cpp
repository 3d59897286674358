// SPDX-License-Identifier: MIT
// Compares the virtual GPU's counts with those of a real profile.
#include <array>
#include <stdexcept>

#include "base/text.hpp"
#include "kernel_text.hpp"

namespace roofline {
namespace {

/// A quantity that is compared, by the name of its metric.
struct Figure {
  const char* name;
  const char* metric;
  enum class Kind { kCount, kBytes, kTime } kind = Kind::kCount;
};

constexpr std::array<Figure, 16> kFigures = {{
    {"load requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    {"load sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {"load sectors that hit L1", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"},
    {"store requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    {"store sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {"shared load wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    {"shared store wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    {"shared load conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
    {"shared store conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
    {"L2 sectors read", "lts__t_sectors_srcunit_tex_op_read.sum"},
    {"L2 sectors written", "lts__t_sectors_srcunit_tex_op_write.sum"},
    {"FP32 fused multiply-adds", "sm__sass_thread_inst_executed_op_ffma_pred_on.sum"},
    {"matrix instructions", "sm__inst_executed_pipe_tensor.sum"},
    {"DRAM read", "dram__bytes_read.sum", Figure::Kind::kBytes},
    {"DRAM written", "dram__bytes_write.sum", Figure::Kind::kBytes},
    {"time", "gpu__time_duration.sum", Figure::Kind::kTime},
}};

/// The plain function name: without return type, namespaces, template arguments and parameters.
std::string bare_name(const std::string& name) {
  std::string bare = name.substr(0, name.find_first_of("<("));
  const std::size_t before = bare.find_last_of(" :");
  return before == std::string::npos ? bare : bare.substr(before + 1);
}

std::string shown(const Figure& figure, double value) {
  if (figure.kind == Figure::Kind::kBytes) return bytes_text(value);
  return figure.kind == Figure::Kind::kTime ? time_text(value) : count_text(value);
}

std::string compared(const KernelFindings& kernel, const KernelProfile& real,
                     const KernelReport& report) {
  std::map<std::string, double> ours = metrics_of(kernel, report);
  ours["gpu__time_duration.sum"] = kernel.time.expected_seconds;
  std::string text =
      kernel.launch.kernel.substr(0, 50) + ", launch " + real.id.substr(0, 8) + " of the profile\n";
  text += "                                 virtual         real      ratio\n";
  for (const Figure& figure : kFigures) {
    const auto counted = real.counters.find(figure.metric);
    if (counted == real.counters.end()) continue;
    const double mine = ours[figure.metric];
    if (mine == 0 && counted->second == 0) continue;
    const std::string ratio =
        counted->second > 0 ? base::formatted("%.3f", mine / counted->second) : "-";
    text += base::formatted("  %-25s %12s %12s %10s\n", figure.name, shown(figure, mine).c_str(),
                            shown(figure, counted->second).c_str(), ratio.c_str());
  }
  return text;
}

}  // namespace

std::string kernel_comparison(const KernelReport& report, const Profile& real) {
  std::string text;
  std::map<std::string, std::size_t> next;  // by name: where to continue the search
  for (const KernelFindings& kernel : report.kernels) {
    const std::string name = bare_name(kernel.launch.kernel);
    std::size_t& at = next[name];
    while (at < real.kernels.size() && bare_name(real.kernels[at].name) != name) ++at;
    if (at == real.kernels.size()) continue;
    text += (text.empty() ? "" : "\n") + compared(kernel, real.kernels[at++], report);
  }
  if (text.empty()) {
    throw std::invalid_argument("the profile has no launch of " +
                                (report.kernels.empty()
                                     ? std::string("any kernel")
                                     : bare_name(report.kernels.front().launch.kernel)));
  }
  return text;
}

}  // namespace roofline
