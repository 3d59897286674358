// SPDX-License-Identifier: MIT
// Copies are seen through renaming and layout; the starter and what everyone writes are not copies.
#include "grader/similarity.hpp"

#include <fmt/format.h>

#include "support/catch.hpp"

namespace {

const std::string kFile = "02-peaks/code/saxpy.cu";

const std::string kStarter = R"(
#include "gpu/gpu.hpp"
__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  // TODO
}
void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  harness::unsolved("02.saxpy.kernel", "topics/02-peaks/README.md#saxpy");
}
)";

const std::string kFirst = kStarter + R"(
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    float4 part = reinterpret_cast<float4*>(y)[i];
    part.x = fmaf(a, x[4 * i], part.x);
    part.y = fmaf(a, x[4 * i + 1], part.y);
    part.z = fmaf(a, x[4 * i + 2], part.z);
    part.w = fmaf(a, x[4 * i + 3], part.w);
    reinterpret_cast<float4*>(y)[i] = part;
  }
  for (std::int64_t k = n - n % 4 + i; k < n; k += 4) y[k] = a * x[k] + y[k];
)";

// The same with other names, numbers, comments and line breaks.
const std::string kCopy = kStarter + R"(
  /* my own idea */ const std::int64_t me = std::int64_t{blockIdx.x}*blockDim.x+threadIdx.x;
  if (me < n / 4) { float4 v = reinterpret_cast<float4*>(y)[me];
    v.x = fmaf(a, x[4 * me], v.x);   // first
    v.y = fmaf(a, x[4 * me + 1], v.y);
    v.z = fmaf(a, x[4 * me + 2], v.z); v.w = fmaf(a, x[4 * me + 3], v.w);
    reinterpret_cast<float4*>(y)[me] = v; }
  for (std::int64_t rest = n - n % 4 + me; rest < n; rest += 4)
    y[rest] = a * x[rest] + y[rest];
)";

const std::string kOther = kStarter + R"(
  const int stride = gridDim.x * blockDim.x;
  while (start < n) {
    float sum = y[start];
    sum += x[start] * a;
    y[start] = sum;
    start += stride;
    if (start % 1024 == 0) { count[start] -= 1; return; }
  }
  auto blocks = std::min(1024, std::max<int>(1, (n + 255) / 256)) ;
  gpu::launch<saxpy_kernel>(blocks, 256, n, a, x.data(), y.data());
)";

}  // namespace

TEST_CASE("a renamed copy is found, other work is not", "[similarity]") {
  const auto pairs = grader::similar_pairs(
      {{"ada", kFile, kFirst}, {"bob", kFile, kCopy}, {"kim", kFile, kOther}}, {{kFile, kStarter}});
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].first == "ada");
  CHECK(pairs[0].second == "bob");
  CHECK(pairs[0].similarity() > 0.95);
  CHECK(grader::similarity_csv(pairs).find("saxpy.cu,ada,bob,1.00,") != std::string::npos);
}

TEST_CASE("the starter makes nobody alike", "[similarity]") {
  CHECK(grader::similar_pairs({{"ada", kFile, kStarter}, {"bob", kFile, kStarter}},
                              {{kFile, kStarter}})
            .empty());
  CHECK(grader::similar_pairs({{"ada", kFile, kStarter}, {"bob", kFile, kStarter}}, {}).size() ==
        1);
}

TEST_CASE("what most of a class writes makes nobody alike", "[similarity]") {
  std::vector<grader::HandedIn> work;
  for (int i = 0; i < 8; ++i) work.push_back({fmt::format("s{}", i), kFile, kFirst});
  CHECK(grader::similar_pairs(work, {{kFile, kStarter}}).empty());
  work.resize(2);
  for (int i = 0; i < 8; ++i) work.push_back({fmt::format("t{}", i), kFile, kOther});
  CHECK(grader::similar_pairs(work, {{kFile, kStarter}}).size() == 1);
}

TEST_CASE("short and empty work is not compared", "[similarity]") {
  CHECK(grader::similar_pairs({{"a", kFile, ""}, {"b", kFile, ""}}, {}).empty());
  CHECK(grader::similar_pairs({{"a", kFile, "x = 1;"}, {"b", kFile, "x = 1;"}}, {}).empty());
}
