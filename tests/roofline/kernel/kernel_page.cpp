// SPDX-License-Identifier: MIT
// The virtual GPU's findings as shown to people and programs.
#include "roofline/kernel/kernel_page.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/catch.hpp"
#include "support/launches.hpp"
#include "support/temporary_folder.hpp"

using namespace roofline;
using Catch::Matchers::Contains;
using support::written;

namespace {

const std::filesystem::path kProject = RL_PROJECT;

Machine h200() {
  return load_machine(kProject / "data/machines/h200-sxm.toml");
}

const Sources kSources = {
    {"kernel.cu",
     {"// kernels", "__global__ void kernel(int n, float a, const float* x, float* y) {",
      "\t// a tab, and a line that is much too long for a page of eighty columns, whatever it says",
      "", "", "  const int i = blockIdx.x * blockDim.x + threadIdx.x;",
      "  y[i] = a * x[i] + y[i];  // \xce\xb1 x + y, so that no character is cut in two "
      "\xe2\x80\x94",
      "  __syncthreads();", "  out[i] = tile[threadIdx.x][threadIdx.y];", "}"}}};

KernelReport report(const std::vector<vgpu::Launch>& launches) {
  const Efficiencies reached =
      efficiencies_of(read_report(kProject / "data/measured/h200_roofs.json"), h200());
  // Through JSON, as if written by another program.
  const vgpu::Profile profile =
      vgpu::profile_from_json(vgpu::to_json(vgpu::Profile{geometry_of(h200()), launches}));
  return report_of(profile, h200(), reached);
}

KernelReport all_kernels() {
  const vgpu::Geometry geometry = geometry_of(h200());
  return report({launches::saxpy(geometry, 1 << 26), launches::naive_transpose(geometry, 8192),
                 launches::tiled_transpose(geometry, 8192, 0),
                 launches::tiled_transpose(geometry, 8192, 1)});
}

std::size_t width_of(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

}  // namespace

TEST_CASE("the page says what bounds the kernel, what each line does, and what to try") {
  const KernelReport all = all_kernels();
  const std::string page = kernel_page(all, kSources);
  INFO(page);
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    CHECK(width_of(line) <= 80);
    CHECK(line.find('\t') == std::string::npos);
  }
  CHECK_THAT(page, Contains("saxpy_kernel: 262144 blocks of 256 threads"));
  CHECK_THAT(page, Contains("machine  NVIDIA H200 SXM, virtual"));
  CHECK_THAT(page, Contains("bound    DRAM"));
  CHECK_THAT(page, Contains("limited by threads"));
  CHECK_THAT(page, Contains("100 % of the threads: 8 blocks"));
  CHECK_THAT(page, Contains("y[i] = a * x[i] + y[i];"));
  CHECK_THAT(page, Contains("A store of a warp touches 32 sectors where 4") && Contains(" 4/32 "));
  CHECK_THAT(page, Contains("takes 32 passes over the banks"));
  CHECK_THAT(page, Contains("topics/02-peaks/README.md#gpu"));
  CHECK(page.find('!') != std::string::npos);
}

TEST_CASE("a page without the source, or of a kernel without accesses, is a page") {
  vgpu::Launch empty;
  empty.kernel = "nothing";
  const KernelReport one = report({empty});
  CHECK_THAT(kernel_page(one, {}), Contains("bound    launch") && Contains("No line wastes"));
  CHECK_THAT(kernel_page(all_kernels(), {}), Contains("Source: kernel.cu"));
}

TEST_CASE("a sample is called one, with its error") {
  vgpu::Launch launch = launches::saxpy(geometry_of(h200()), 1 << 26);
  launch.blocks_run = 2112;
  launch.sample_error = 0.012;
  CHECK_THAT(kernel_page(report({launch}), kSources),
             Contains("2112 of 262144 blocks were run") && Contains("1.2 %"));
  launch.sample_error = -1;
  CHECK_THAT(kernel_page(report({launch}), kSources), Contains("one wave"));
}

TEST_CASE("advice: columns, conflicts, idle lanes, atomics; padding and full rows need none") {
  const KernelReport all = all_kernels();
  CHECK(all.kernels[0].advice.empty());
  REQUIRE(all.kernels[1].advice.size() == 1);
  CHECK(all.kernels[1].advice[0].line == 7);
  REQUIRE(all.kernels[2].advice.size() == 1);
  CHECK(all.kernels[2].advice[0].line == 9);
  CHECK(all.kernels[3].advice.empty());

  vgpu::Launch launch = launches::saxpy(geometry_of(h200()), 1 << 20);
  launch.lines[0].lanes /= 2;
  launch.sites.push_back(
      launches::access(9, vgpu::Space::kGlobal, vgpu::Access::kAtomic, 1000, 1000));
  const auto advice = advise_on_lines(launch, geometry_of(h200()));
  REQUIRE(advice.size() == 2);
  CHECK_THAT(advice[0].text + advice[1].text,
             Contains("16 of 32 lanes") && Contains("32 lanes of a warp update each sector"));
}

TEST_CASE("every section that advice names is in the course") {
  vgpu::Launch launch = launches::naive_transpose(geometry_of(h200()), 1024);
  launch.lines[0].lanes /= 2;
  using vgpu::Access;
  launch.sites.push_back(launches::access(9, vgpu::Space::kGlobal, Access::kAtomic, 1e3, 1e3));
  launch.sites.push_back(launches::access(10, vgpu::Space::kShared, Access::kLoad, 1e3, 2e3, 1e3));
  const auto advice = advise_on_lines(launch, geometry_of(h200()));
  REQUIRE(advice.size() == 4);
  for (const LineAdvice& line : advice) {
    INFO(line.section);
    const std::size_t mark = line.section.find('#');
    std::ifstream in(kProject / line.section.substr(0, mark));
    const std::string text(std::istreambuf_iterator<char>(in), {});
    CHECK(text.find("<a id=\"" + line.section.substr(mark + 1) + "\"") != std::string::npos);
  }
}

TEST_CASE("the CSV is one that roofline import reads, with the same figures") {
  const KernelReport all = all_kernels();
  const Profile read = import_profile(written("all.csv", kernel_csv(all)));
  CHECK(read.format == "ncu raw");
  REQUIRE(read.kernels.size() == 4);
  const double n = 1 << 26;
  const KernelCounts& saxpy = *read.kernels[0].counts;
  CHECK(saxpy.flops_known());
  CHECK(read.kernels[1].counts->flops_known());
  CHECK(read.kernels[0].name == "saxpy_kernel");
  CHECK(saxpy.flops() == 2 * n);
  CHECK(saxpy.bytes.at("DRAM") == 12 * n);
  CHECK(saxpy.bytes.at("L2") == 12 * n);
  CHECK(saxpy.seconds == Approx(all.kernels[0].time.expected_seconds));
  const auto& naive = read.kernels[1].counters;
  CHECK(naive.at("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum") ==
        32 * naive.at("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"));
  CHECK(read.kernels[2].counters.at("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum") ==
        31 * 8192.0 * 8192 / 32);
}

TEST_CASE("halves are packed, as the importer takes them") {
  vgpu::Launch launch = launches::saxpy(geometry_of(h200()), 1 << 20);
  launch.arithmetic = {{"fp16", {.fma = 1 << 20}}};
  const Profile read = import_profile(written("half.csv", kernel_csv(report({launch}))));
  CHECK(read.kernels[0].counts->flops() == 2 << 20);
}

TEST_CASE("products of matrices are on the page, in the CSV and in the JSON") {
  vgpu::Launch launch = launches::saxpy(geometry_of(h200()), 1 << 20);
  launch.matrix = {{"bf16", {.instructions = 1000, .flops = 4096e3}},
                   {"fp16", {.instructions = 2000, .flops = 8192e3}}};
  const KernelReport one = report({launch});
  CHECK_THAT(kernel_page(one, kSources), Contains("Matrix units") && Contains("BF16 matrix") &&
                                             Contains("4.1 M") && Contains("8.19 M"));
  CHECK_THAT(kernel_html(one, kSources, "", "MIT"), Contains("matrix units"));
  const std::string csv = kernel_csv(one);
  // Hopper's counter for FP16 does not include the type of the sums; Ampere's does.
  CHECK_THAT(csv, Contains("\"sm__ops_path_tensor_src_fp16.sum\""));
  const Profile read = import_profile(written("matrix.csv", csv));
  CHECK(read.kernels[0].counts->operations.at("fp16.matrix") == 8192e3);
  CHECK(read.kernels[0].counts->operations.at("bf16.matrix") == 4096e3);
  CHECK(read.kernels[0].counters.at("sm__inst_executed_pipe_tensor.sum") == 3000);
  const auto profile = nlohmann::json::parse(kernel_json(one)).at("profile").at("launches").at(0);
  CHECK(profile.at("matrix").at("fp16").at("instructions") == 2000);
}

TEST_CASE("JSON holds the profile and the times") {
  const KernelReport all = all_kernels();
  const auto json = nlohmann::json::parse(kernel_json(all));
  CHECK(json.at("machine") == "h200-sxm");
  CHECK(json.at("times").at(0).at("bound") == "DRAM");
  CHECK(json.at("times").size() == 4);
  CHECK(json.at("advice").at(1).at(0).at("line") == 7);
  CHECK(vgpu::profile_from_json(json.at("profile").dump()).launches.size() == 4);
}

TEST_CASE("the HTML page holds the chart with all levels, the listing and its figures") {
  const std::string page = kernel_html(all_kernels(), kSources, "const chart = 1;", "MIT");
  CHECK_THAT(page, Contains("bytes of L2") && Contains("bytes of L1") && Contains("bytes of DRAM"));
  CHECK_THAT(page, Contains("FP32 vector") && !Contains("matrix"));
  CHECK_THAT(page, Contains("class=\"bad\"") && Contains("stores: 32 sectors each (ideal 4)"));
  CHECK_THAT(page, Contains("const float* x") && !Contains("http"));
}

TEST_CASE("a real profile stands beside ours, launch by launch") {
  const KernelReport all = all_kernels();
  std::string real = kernel_csv(all);
  const std::string name = "\"saxpy_kernel\"";
  real.replace(real.find(name), name.size(), "\"void course::saxpy_kernel<float>(int, float)\"");
  const std::string text = kernel_comparison(all, import_profile(written("real.csv", real)));
  INFO(text);
  CHECK_THAT(text, Contains("store sectors") && Contains("1.000") && Contains("saxpy_kernel"));
  CHECK_THAT(text, Contains("transpose_padded") && !Contains("nan"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
  const Profile other = import_profile(kProject / "tests/roofline/ncu/matrix_raw.csv");
  CHECK_THROWS_WITH(kernel_comparison(all, other), Contains("no launch of saxpy_kernel"));
}
