// SPDX-License-Identifier: MIT
// The check of objects, applied to the output of GPU compilers: they add their own tables and
// functions, which are not an attack. Needs no GPU.
#include <cstdlib>

#include "base/files.hpp"
#include "grader/program/object_check.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

const fs::path kCourse = RL_SOURCE;
const fs::path kBuild = RL_BUILD;

/// A compiler, and how it compiles a submitted kernel (cmake/LabPrograms.cmake).
struct GpuCompiler {
  std::string path;  ///< empty if this machine has none
  std::string options;
  std::string runtime;  ///< prefix of its runtime's names
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
std::string object_of(const GpuCompiler& compiler, const std::string& code) {
  const support::TemporaryFolder folder;
  folder.write("source.cu", code);
  const fs::path object = folder.path / "object.o";
  const std::string line = "'" + compiler.path + "' " + compiler.options + " -w -c '" +
                           (folder.path / "source.cu").string() + "' -o '" + object.string() +
                           "' 2>&1";
  return std::system(line.c_str()) == 0 ? base::read_file_if_any(object) : std::string();
}

std::string refusal(const std::string& object) {
  static grader::LibraryNames names;
  return refusal_of(object, names,
                    {kBuild / "harness/librl_harness.a", kBuild / "harness/librl_harness_main.a",
                     kBuild / "harness/librl_lab.a", kBuild / "gpu/librl_gpu.a"},
                    grader::ObjectOf::kKernel);
}

/// A small source, because a GPU compiler takes seconds to read the course's headers.
std::string object_of_kernel_and(const GpuCompiler& compiler, const std::string& code) {
  const std::string header =
      compiler.runtime == "hip" ? "#include <hip/hip_runtime.h>\n" : "#include <cuda_runtime.h>\n";
  return object_of(compiler, header +
                                 "__global__ void twice(float* x) { *x *= 2; }\n"
                                 "void launch(float* x) { twice<<<1, 1>>>(x); }\n" +
                                 code);
}

/// Code whose object is refused because of a name in it.
struct Attack {
  std::string code;
  std::string refusal;
  std::string name;
  std::string harmless;  ///< of the same length: with this name it is not an attack
};

std::vector<Attack> attacks(const std::string& runtime) {
  return {{"extern \"C\" void* malloc(std::size_t) noexcept { return nullptr; }", "defines malloc",
           "malloc", "mallow"},
          {"namespace harness { struct Registry; Registry& registry(); }\n"
           "void* f() { return &harness::registry(); }",
           "belongs to the harness", "_ZN7harness8registryEv", "_ZN7harvest8registryEv"},
          {"__attribute__((section(\"harness_table\"), used)) static int own = 1;",
           "custom section", "harness_table", ".data.harness"},
          {"void reset() { " + runtime + "DeviceReset(); }", "takes the device from the harness",
           runtime + "DeviceReset", runtime + "DeviceRefit"},
          {"extern \"C\" int " + runtime + "EventOfMine() { return 0; }", "belongs to a runtime",
           runtime + "EventOfMine", "my" + runtime.substr(2) + "EventOfMine"}};
}

/// The object with a name replaced by another of the same length.
std::string renamed(std::string object, const std::string& name, const std::string& other) {
  const auto whole = [](const std::string& text) { return '\0' + text + '\0'; };
  REQUIRE(name.size() == other.size());
  const std::size_t first = object.find(whole(name));
  REQUIRE(first != std::string::npos);
  for (std::size_t at = first; at != std::string::npos; at = object.find(whole(name), at)) {
    object.replace(at, whole(name).size(), whole(other));
  }
  return object;
}

/// Compiling takes seconds, so all attacks are compiled together, and each is checked with the
/// others made harmless.
void check_attacks(const GpuCompiler& compiler) {
  const std::vector<Attack> all = attacks(compiler.runtime);
  std::string code;
  for (const Attack& attack : all) code += attack.code + "\n";
  std::string harmless = object_of_kernel_and(compiler, code);
  for (const Attack& attack : all) harmless = renamed(harmless, attack.name, attack.harmless);
  CHECK(refusal(harmless) == "");
  for (const Attack& attack : all) {
    INFO(attack.code);
    CHECK_THAT(refusal(renamed(harmless, attack.harmless, attack.name)),
               Catch::Contains(attack.refusal));
  }
}

void check_objects_of(const GpuCompiler& compiler) {
  if (compiler.path.empty()) {
    WARN("skipped: there is no " + std::string(&compiler == &nvcc() ? "nvcc" : "hipcc"));
    return;
  }
  const std::string small = object_of_kernel_and(compiler, "");
  if (small.empty()) {
    WARN("skipped: " + compiler.path + " does not compile a kernel on this machine");
    return;
  }
  CHECK(refusal(small) == "");
  // Compiled together, because most of the time goes into the course's headers; both have a
  // kThreads.
  std::string labs = "#define kThreads kThreadsOfSaxpy\n";
  for (const char* lab : {"02-peaks/code/saxpy.cu", "04-llm-inference/code/softmax_online.cu"}) {
    labs += "#include \"" + (kCourse / "solutions" / lab).string() + "\"\n#undef kThreads\n";
  }
  const std::string object = object_of(compiler, labs);
  REQUIRE_FALSE(object.empty());
  CHECK(refusal(object) == "");
  // Recognised by its section, not by a name.
  CHECK_THAT(
      refusal(object_of_kernel_and(
          compiler, "__attribute__((constructor)) static void early() { launch(nullptr); }")),
      Catch::Contains("runs by itself"));
  check_attacks(compiler);
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
