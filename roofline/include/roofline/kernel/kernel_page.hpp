// SPDX-License-Identifier: MIT
// The virtual GPU's findings about a kernel, for people and for programs: a page of text, a page of
// HTML, JSON, and CSV in Nsight Compute's format.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "roofline/kernel/kernel_advice.hpp"
#include "roofline/kernel/kernel_time.hpp"
#include "roofline/machine.hpp"
#include "roofline/profile.hpp"
#include "vgpu/profile.hpp"

namespace roofline {

/// A launch with its times and the advice about it.
struct KernelFindings {
  vgpu::Launch launch;
  KernelTime time;
  std::vector<LineAdvice> advice;
};

/// Lines of source files, by file name without folders.
using Sources = std::map<std::string, std::vector<std::string>>;

/// Everything found in all launches of a profile.
struct KernelReport {
  Machine machine;
  vgpu::Geometry geometry;
  std::vector<KernelFindings> kernels;
};

/// Times and advice for every launch. Throws as time_of() does.
KernelReport report_of(const vgpu::Profile& profile, const Machine& machine,
                       const Efficiencies& reached, Code code = Code::kInOrder);

/// The page: kernel, bound, time; occupancy; units; memory from the multiprocessors to DRAM; the
/// source with counts for each line, the worst marked; advice. Lines are at most 80 columns wide.
std::string kernel_page(const KernelReport& report, const Sources& sources);

/// The same as one self-contained HTML page with the roofline chart; pointing at a line of the
/// source shows all that is known about it. `chart_js` and `licence` are as for draw_html().
std::string kernel_html(const KernelReport& report, const Sources& sources,
                        const std::string& chart_js, const std::string& licence);

/// Schema "roofline.kernel_report", version 1: the virtual GPU's profile, and times in seconds.
std::string kernel_json(const KernelReport& report);

/// In the columns of `ncu --csv --page raw` with base units, so that import_profile() reads it.
/// Only what the virtual GPU counts has a column.
std::string kernel_csv(const KernelReport& report);

/// Compares a real profile with ours, launch by launch: requests, sectors, L2, DRAM, time, ratio.
/// Lines are at most 80 columns wide. A launch is paired with the next one of the same kernel.
/// Throws std::invalid_argument if the profile has no launch of any of the kernels.
std::string kernel_comparison(const KernelReport& report, const Profile& real);

}  // namespace roofline
