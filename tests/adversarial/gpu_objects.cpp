// SPDX-License-Identifier: MIT
// The look at an object before it runs, at what the compilers for GPUs make: they add tables and
// functions of their own, which are no attack. Needs no GPU.
#include <cstdlib>

#include "base/files.hpp"
#include "grader/program/object_check.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

const fs::path kCourse = RL_SOURCE;
const fs::path kBuild = RL_BUILD;

/// A compiler, and how it compiles a kernel that was handed in (cmake/LabPrograms.cmake).
struct GpuCompiler {
  std::string path;  ///< empty when there is none on this machine
  std::string options;
  std::string runtime;  ///< what names of its runtime begin with
};

std::string includes(const std::string& backend) {
  std::string options;
  for (const std::string& part : {std::string("gpu/cuda_hip/include"), std::string("gpu/include"),
                                  "gpu/" + backend + "/include", std::string("harness/include"),
                                  std::string("base/include")}) {
    options += " -I'" + (kCourse / part).string() + "'";
  }
  return options;
}

const GpuCompiler& nvcc() {
  static const GpuCompiler kCompiler = {
      RL_NVCC,
      "-forward-unknown-to-host-compiler -O3 -lineinfo -std=c++20 -x cu "
      "--generate-code=arch=compute_90,code=[compute_90,sm_90]" +
          includes("cuda"),
      "cuda"};
  return kCompiler;
}

const GpuCompiler& hipcc() {
  static const GpuCompiler kCompiler = {
      RL_HIPCC,
      "-D__HIP_PLATFORM_AMD__ -O3 -march=native -std=c++20 -x hip --offload-arch=gfx90a "
      "-Wno-pass-failed" +
          includes("hip"),
      "hip"};
  return kCompiler;
}

/// The object; empty when it does not compile.
std::string object_of(const GpuCompiler& compiler, const fs::path& source) {
  const support::TemporaryFolder folder;
  const fs::path object = folder.path / "object.o";
  const std::string line = "'" + compiler.path + "' " + compiler.options + " -w -c '" +
                           source.string() + "' -o '" + object.string() + "' 2>&1";
  return std::system(line.c_str()) == 0 ? base::read_file_if_any(object) : std::string();
}

std::string refusal(const std::string& object) {
  static grader::LibraryNames names;
  return refusal_of(object, names,
                    {kBuild / "harness/librl_harness.a", kBuild / "harness/librl_harness_main.a",
                     kBuild / "harness/librl_lab.a", kBuild / "gpu/librl_gpu.a"},
                    grader::ObjectOf::kKernel);
}

/// Small, for a compiler that takes seconds to read the course's headers.
std::string kernel_and(const GpuCompiler& compiler, const std::string& code) {
  const std::string header =
      compiler.runtime == "hip" ? "#include <hip/hip_runtime.h>\n" : "#include <cuda_runtime.h>\n";
  return header +
         "__global__ void twice(float* x) { *x *= 2; }\n"
         "void launch(float* x) { twice<<<1, 1>>>(x); }\n" +
         code;
}

struct Attack {
  std::string code;
  std::string refusal;
};

std::vector<Attack> attacks(const std::string& runtime) {
  return {
      {"__attribute__((constructor)) static void early() { launch(nullptr); }", "runs by itself"},
      {"extern \"C\" void* malloc(std::size_t) noexcept { return nullptr; }", "defines malloc"},
      {"namespace harness { struct Registry; Registry& registry(); }\n"
       "void* f() { return &harness::registry(); }",
       "belongs to the harness"},
      {"__attribute__((section(\"harness_table\"), used)) static int own = 1;",
       "section of its own"},
      {"void reset() { " + runtime + "DeviceReset(); }", "takes the device from the harness"},
      {"extern \"C\" int " + runtime + "EventOfMine() { return 0; }", "belongs to a runtime"}};
}

void check_objects_of(const GpuCompiler& compiler) {
  if (compiler.path.empty()) {
    WARN("skipped: there is no " + std::string(&compiler == &nvcc() ? "nvcc" : "hipcc"));
    return;
  }
  const support::TemporaryFolder folder;
  folder.write("small.cu", kernel_and(compiler, ""));
  const std::string small = object_of(compiler, folder.path / "small.cu");
  if (small.empty()) {
    WARN("skipped: " + compiler.path + " does not compile a kernel on this machine");
    return;
  }
  CHECK(refusal(small) == "");
  for (const char* lab : {"02-peaks/code/saxpy.cu", "04-llm-inference/code/softmax_online.cu"}) {
    INFO(lab);
    const std::string object = object_of(compiler, kCourse / "solutions" / lab);
    REQUIRE_FALSE(object.empty());
    CHECK(refusal(object) == "");
  }
  for (const Attack& attack : attacks(compiler.runtime)) {
    INFO(attack.code);
    folder.write("attack.cu", kernel_and(compiler, attack.code));
    const std::string object = object_of(compiler, folder.path / "attack.cu");
    REQUIRE_FALSE(object.empty());
    CHECK_THAT(refusal(object), Catch::Contains(attack.refusal));
  }
}

}  // namespace

#ifdef __linux__
TEST_CASE("objects of CUDA's compiler are checked before they run", "[adversarial]") {
  check_objects_of(nvcc());
}

TEST_CASE("objects of HIP's compiler are checked before they run", "[adversarial]") {
  check_objects_of(hipcc());
}
#endif
