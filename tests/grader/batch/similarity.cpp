// SPDX-License-Identifier: MIT
// Copies are detected despite renaming and reformatting. The starter, and code that everyone
// writes, are not copies.
#include "grader/batch/similarity.hpp"

#include <fmt/format.h>

#include "grader/batch/tokens.hpp"
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

TEST_CASE("the starter does not make submissions alike", "[similarity]") {
  CHECK(grader::similar_pairs({{"ada", kFile, kStarter}, {"bob", kFile, kStarter}},
                              {{kFile, kStarter}})
            .empty());
  CHECK(grader::similar_pairs({{"ada", kFile, kStarter}, {"bob", kFile, kStarter}}, {}).size() ==
        1);
}

TEST_CASE("what most of a class writes does not make submissions alike", "[similarity]") {
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

TEST_CASE("no quote and no #if 0 hides a copy", "[similarity]") {
  const std::string code = kCopy.substr(kStarter.size());
  for (const std::string& hidden :
       {"int many = 1'000'0;\n" + code, "#if 0\nit's not compiled\n#endif\n" + code,
        "const char* s = R\"(\")\";\n" + code, "const char* s = R\"x(\")\" /* )x\";\n" + code,
        "#error it's\n" + code, "// a \\\n comment's second line\n" + code,
        "#if 1\n" + code + "#else\nit's not compiled\n#endif\n",
        "#if 0\n" + kOther + "\n#else\n" + code + "#endif\n"}) {
    const auto pairs = grader::similar_pairs(
        {{"ada", kFile, kFirst}, {"bob", kFile, kStarter + hidden}}, {{kFile, kStarter}});
    INFO(hidden);
    REQUIRE(pairs.size() == 1);
    CHECK(pairs[0].similarity() > 0.9);
  }
}

TEST_CASE("tokens are those of C++", "[similarity]") {
  const auto text = [](const std::string& source) {
    std::string all;
    for (const grader::Token& token : grader::cpp_tokens(source)) all += token.text + " ";
    return all;
  };
  CHECK(text("1'000.5e-3f+x") == "1'000.5e-3f + x ");
  CHECK(text("u8\"a\\\"b\" L'c' R\"(a\"b)\" y") == "\" \" \" y ");
  CHECK(text("a // b\n/* c */ d") == "a d ");
  CHECK(text("#if 0\na\n#if X\nb\n#endif\n#else\nc\n#endif\nd") == "c d ");
  CHECK(text("#if 1\na\n#else\nb\n#endif\nc") == "a c ");
  CHECK(text("lon\\\nger \"open\nnext") == "longer \" next ");
}

TEST_CASE("identical work is listed, the starter's and the solution's aside", "[similarity]") {
  const std::string solution = "void saxpy() { y = a * x + y; }\n";
  const auto groups = grader::identical_work({{"ada", kFile, kFirst},
                                              {"bob", kFile, "// my own\n" + kFirst + "\n"},
                                              {"kim", kFile, kStarter},
                                              {"lea", kFile, kStarter},
                                              {"max", kFile, solution},
                                              {"mia", kFile, solution},
                                              {"tom", kFile, kOther},
                                              {"uma", "02-peaks/answers.toml", "same"},
                                              {"vic", "02-peaks/answers.toml", "same"}},
                                             {{kFile, {kStarter, solution}}});
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].file == kFile);
  CHECK(groups[0].students == std::vector<std::string>{"ada", "bob"});
  CHECK(grader::identical_csv(groups) ==
        "group,file,student\n1,02-peaks/code/saxpy.cu,ada\n1,02-peaks/code/saxpy.cu,bob\n");
}
