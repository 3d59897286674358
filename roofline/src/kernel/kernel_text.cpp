// SPDX-License-Identifier: MIT
// Numbers and rows shared by the pages about a kernel.
#include "kernel_text.hpp"

#include <utility>

#include "base/text.hpp"

namespace roofline {
namespace {

using vgpu::Access;
using vgpu::Launch;
using vgpu::Site;
using vgpu::Space;

std::string ratio_text(double part, double whole) {
  return whole > 0 ? three_digits(part / whole) : "";
}

constexpr std::pair<Access, const char*> kAccesses[] = {
    {Access::kLoad, "loads"}, {Access::kStore, "stores"}, {Access::kAtomic, "atomics"}};

const char* name_of(Access access) {
  for (const auto& [known, name] : kAccesses) {
    if (known == access) return name;
  }
  return "";
}

std::string sizes_text(const std::array<std::int64_t, 3>& sizes) {
  std::string text = std::to_string(sizes[0]);
  const int used = sizes[2] > 1 ? 3 : sizes[1] > 1 ? 2 : 1;
  for (int axis = 1; axis < used; ++axis) text += " x " + std::to_string(sizes[axis]);
  return text;
}

}  // namespace

std::string three_digits(double value) {
  return base::formatted("%.3g", value);
}

std::string count_text(double count) {
  constexpr std::pair<double, const char*> kScales[] = {
      {1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}};
  for (const auto& [scale, prefix] : kScales) {
    if (count >= 0.9995 * scale) return three_digits(count / scale) + prefix;
  }
  return three_digits(count);
}

std::string percent_text(double part, double whole) {
  if (whole <= 0) return {};
  return base::formatted("%.0f %%", 100 * part / whole);
}

std::vector<MatrixRow> matrix_rows(const Launch& launch) {
  std::vector<MatrixRow> rows;
  for (const auto& [format, work] : launch.matrix) {
    rows.push_back({format, count_text(work.instructions), count_text(work.flops)});
  }
  return rows;
}

std::vector<MemoryRow> memory_rows(const Launch& launch, const vgpu::Geometry& geometry) {
  const double sector = geometry.sector_bytes;
  std::vector<MemoryRow> rows;
  for (const auto& [access, name] : kAccesses) {
    const double requests = launch.total(Space::kShared, access, &Site::requests);
    if (requests <= 0) continue;
    const double wavefronts = launch.total(Space::kShared, access, &Site::wavefronts);
    const double bytes = launch.total(Space::kShared, access, &Site::bytes);
    rows.push_back({std::string("shared ") + name, count_text(requests),
                    count_text(wavefronts) + " *", ratio_text(wavefronts, requests), "",
                    bytes_text(bytes)});
  }
  for (const auto& [access, name] : kAccesses) {
    const double requests = launch.total(Space::kGlobal, access, &Site::requests);
    if (requests <= 0) continue;
    const double sectors = launch.total(Space::kGlobal, access, &Site::sectors);
    const bool hits_l1 = access == Access::kLoad;
    rows.push_back({std::string("global ") + name, count_text(requests), count_text(sectors),
                    ratio_text(sectors, requests),
                    hits_l1 ? percent_text(launch.l1_load_hits, launch.l1_load_sectors) : "",
                    bytes_text(sector * sectors)});
  }
  const auto level = [&](const char* name, double sectors, const std::string& hits) {
    if (sectors <= 0) return;
    rows.push_back({name, "", count_text(sectors), "", hits, bytes_text(sector * sectors)});
  };
  level("L2 reads", launch.l2_read_sectors,
        percent_text(launch.l2_read_hits, launch.l2_read_sectors));
  level("L2 writes", launch.l2_write_sectors, "");
  level("L2 atomics", launch.l2_atomic_sectors, "");
  level("DRAM reads", launch.dram_bytes_read / sector, "");
  level("DRAM writes", launch.dram_bytes_written / sector, "");
  level("left in L2", launch.l2_dirty_bytes / sector, "");
  return rows;
}

std::vector<LineFigures> line_figures(const Launch& launch, const vgpu::Geometry& geometry) {
  std::map<std::pair<std::string, int>, LineFigures> lines;
  std::map<std::pair<std::string, int>, std::pair<double, double>>
      lanes;  // lanes, and over how many steps
  const auto at = [&](const std::string& file, int line) -> LineFigures& {
    LineFigures& figures = lines[{file, line}];
    figures.file = file;
    figures.line = line;
    return figures;
  };
  for (const Site& site : launch.sites) {
    LineFigures& line = at(site.file, site.line);
    line.requests += site.requests;
    if (site.space == Space::kGlobal) {
      line.global.push_back(
          {name_of(site.access), site.sectors_per_request(), ideal_sectors(site, geometry)});
    }
    line.conflicts += site.conflicts();
    line.wavefronts += site.wavefronts;
    auto& [sum, steps] = lanes[{site.file, site.line}];
    sum += site.lanes;
    steps += site.requests;
  }
  for (const vgpu::LineWork& work : launch.lines) {
    LineFigures& line = at(work.file, work.line);
    line.flops += work.flops;
    auto& [sum, steps] = lanes[{work.file, work.line}];
    sum += work.lanes;
    steps += work.warp_steps;
  }
  std::vector<LineFigures> result;
  for (auto& [place, line] : lines) {
    const auto& [sum, steps] = lanes[place];
    if (sum <= 0) continue;  // no lane executed this line
    line.lanes = sum / steps;
    result.push_back(std::move(line));
  }
  return result;
}

std::string shape_text(const Launch& launch) {
  return sizes_text(launch.grid) + (launch.blocks() == 1 ? " block of " : " blocks of ") +
         sizes_text(launch.block) + (launch.threads_per_block() == 1 ? " thread" : " threads");
}

std::string bound_text(const KernelTime& time) {
  if (time.bound == "launch") return "launch: too little work to hide the launch overhead";
  if (time.bound == "latency") return "latency: warps wait longer than any unit is busy";
  return time.bound;
}

std::string source_line(const Sources& sources, const std::string& file, int line) {
  const auto found = sources.find(file);
  if (found == sources.end() || line < 1) return {};
  const auto index = static_cast<std::size_t>(line - 1);
  return index < found->second.size() ? found->second[index] : std::string();
}

}  // namespace roofline
