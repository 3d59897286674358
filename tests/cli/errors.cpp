// SPDX-License-Identifier: MIT
// Which compiler errors a student sees, and in which order.
#include <string>

#include "grader/program/build.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace {

std::string errors_of(const std::string& output) {
  return grader::first_errors(output, "/home/me/labs");
}

bool comes_first(const std::string& text, const std::string& first, const std::string& second) {
  return text.find(first) < text.find(second) && text.find(second) != std::string::npos;
}

}  // namespace

TEST_CASE("errors in the student's file come first, with short paths") {
  const std::string shown = errors_of(
      "/home/me/labs/gpu/include/gpu/span.hpp:10:3: error: header trouble\n"
      "/home/me/labs/topics/02-peaks/code/saxpy.cu:12:5: error: expected ';'\n"
      "   12 |   y[i] = a\n      |     ^\n");
  CHECK(comes_first(shown, "topics/02-peaks/code/saxpy.cu:12:5: error", "header trouble"));
  CHECK(shown.find("/home/me") == std::string::npos);
  CHECK(shown.find("y[i] = a") != std::string::npos);
}

TEST_CASE("the linker's missing libraries are reported") {
  const std::string shown = errors_of(
      "/usr/bin/ld: cannot find -lcudart: No such file or directory\n"
      "collect2: error: ld returned 1 exit status\n");
  CHECK(comes_first(shown, "cannot find -lcudart", "collect2"));
}

TEST_CASE("an error deep in a template is reported at the student's line that led there (GCC)") {
  const std::string shown = errors_of(
      "/home/me/labs/gpu/cpu/include/gpu/launch.hpp: In instantiation of 'void run() [with T = "
      "int]':\n"
      "/home/me/labs/topics/02-peaks/code/saxpy.cu:30:9:   required from here\n"
      "/home/me/labs/gpu/cpu/include/gpu/launch.hpp:88:7: error: no match for call\n"
      "/home/me/labs/gpu/cpu/include/gpu/launch.hpp:80:7: note: candidate: a very long one\n");
  CHECK(shown.find("topics/02-peaks/code/saxpy.cu:30") == 0);
  CHECK(shown.find("no match for call") != std::string::npos);
  CHECK(shown.find("note:") == std::string::npos);
}

TEST_CASE("the same with clang, which says it afterwards") {
  const std::string shown = errors_of(
      "/home/me/labs/gpu/cpu/include/gpu/launch.hpp:88:7: error: no matching function\n"
      "/home/me/labs/topics/02-peaks/code/saxpy.cu:30:9: note: in instantiation of function "
      "template "
      "specialization 'run<int>' requested here\n"
      "/home/me/labs/topics/02-peaks/code/saxpy.cu:31:9: error: use of undeclared identifier "
      "'z'\n");
  CHECK(shown.find("topics/02-peaks/code/saxpy.cu:30") == 0);
  CHECK(shown.find("undeclared identifier") != std::string::npos);
}

TEST_CASE("paths that a compiler cache made relative are recognised as the student's file") {
  const std::string shown = errors_of(
      "In file included from ../../topics/02-peaks/code/saxpy.cu:6:\n"
      "../../gpu/cpu/include/gpu/backend/launch.hpp: In instantiation of 'void run() [with T = "
      "int]':\n"
      "../../topics/02-peaks/code/saxpy.cu:42:28:   required from here\n"
      "../../gpu/cpu/include/gpu/backend/launch.hpp:87:23: error: invalid 'static_cast' from type "
      "'gpu::DeviceSpan<const float>' to type 'const float*'\n"
      "   87 |   const Stored stored(static_cast<Parameters>(arguments)...);\n");
  CHECK(shown.find("topics/02-peaks/code/saxpy.cu:42: what this line uses") == 0);
  CHECK(shown.find("../") == std::string::npos);
}

TEST_CASE("a caret and its line come through whole") {
  const std::string code =
      "   42 |   gpu::launch<saxpy_kernel>(a_rather_long_name, kThreads, n, a, x.data(), "
      "y.data());\n"
      "      |                             ^~~~~~~~~~~~~~~~~~\n";
  const std::string shown = errors_of(
      "/home/me/labs/topics/02-peaks/code/saxpy.cu:42:29: error: 'a_rather_long_name' was not "
      "declared in this scope\n" +
      code);
  CHECK(shown.find(code) != std::string::npos);
}

TEST_CASE("<<<>>> is explained once, with the launch to write instead") {
  const std::string code =
      "   49 |   saxpy_kernel<<<blocks, kThreads>>>(n, a, x.data(), y.data());\n";
  const std::string shown = errors_of(
      "/home/me/labs/topics/02-peaks/code/saxpy.cu:49:17: error: expected primary-expression "
      "before "
      "'<' token\n" +
      code +
      "      |                 ^\n"
      "/home/me/labs/topics/02-peaks/code/saxpy.cu:49:36: error: expected primary-expression "
      "before "
      "'>' token\n" +
      code + "      |                                    ^\n");
  CHECK(shown.find("  gpu::launch<saxpy_kernel>(blocks, kThreads, n, a, x.data(), y.data());\n") !=
        std::string::npos);
  CHECK(shown.find("primary-expression") == std::string::npos);
  CHECK(shown.find("<<<...>>>") == shown.rfind("<<<...>>>"));
}

TEST_CASE("shared memory of a <<<>>> becomes a launch configuration") {
  const std::string shown = errors_of(
      "/home/me/labs/topics/02-peaks/code/sum.cu:9:10: error: expected expression\n"
      "  part<T><<<grid, dim3(8, 8), bytes>>>(x);\n"
      "         ^\n");
  CHECK(
      shown.find("gpu::launch<part<T>>({.grid = grid, .block = dim3(8, 8), .shared_bytes = bytes}, "
                 "x);") != std::string::npos);
}

namespace {

/// A course with one kernel, and a compiler's errors for a launch that does not match it.
std::string launch_errors(const std::string& output) {
  const support::TemporaryFolder root;
  root.write("topics/02-peaks/code/saxpy.cu",
             "__global__ void saxpy_kernel(std::int64_t n, float a, const float* __restrict__ x,\n"
             "                             float* __restrict__ y) {}\n");
  std::string placed = output;
  for (auto at = placed.find("ROOT"); at != std::string::npos; at = placed.find("ROOT")) {
    placed.replace(at, 4, root.path.string());
  }
  return grader::first_errors(placed, root.path);
}

const std::string kTable =
    "  the kernel takes  the launch gives\n"
    "  std::int64_t n    const long\n"
    "  float a           float\n"
    "  const float* x    gpu::DeviceSpan<const float>  <- pass its .data()\n"
    "  float* y          float*\n";

}  // namespace

TEST_CASE("a launch that does not match lists the kernel's parameters (GCC)") {
  const std::string shown = launch_errors(
      "ROOT/topics/02-peaks/code/saxpy.cu:49:28: error: no matching function for call to "
      "'launch<saxpy_kernel>(const unsigned int&, const int&, const long&, float&, "
      "gpu::DeviceSpan<const float>&, float*)'\n"
      "   49 |   gpu::launch<saxpy_kernel>(blocks, kThreads, n, a, x, y.data());\n"
      "      |   ~~~~~~~~~~~~~~~~~~~~~~~~~^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
      "ROOT/gpu/include/gpu/launch.hpp:46:6: note: candidate: 'template<auto kernel>'\n"
      "/usr/include/c++/12/concepts:336:25: note: the expression 'is_invocable_v<_Fn, _Args ...> "
      "[with _Fn = void (*)(long, float, const float*, float*); _Args = {const int&, const long&, "
      "float&, gpu::DeviceSpan<const float>&, float*}]' evaluated to 'false'\n"
      "/usr/include/c++/12/concepts:336:25: note: the expression 'is_invocable_v<_Fn, _Args ...> "
      "[with _Fn = void (*)(long, float, const float*, float*); _Args = {const long&, float&, "
      "gpu::DeviceSpan<const float>&, float*}]' evaluated to 'false'\n");
  CHECK(shown ==
        "topics/02-peaks/code/saxpy.cu:49: error: the arguments of this launch do not match the "
        "parameters of saxpy_kernel\n"
        "   49 |   gpu::launch<saxpy_kernel>(blocks, kThreads, n, a, x, y.data());\n"
        "      |   ~~~~~~~~~~~~~~~~~~~~~~~~~^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n" +
            kTable);
}

TEST_CASE("the same with clang") {
  const std::string shown = launch_errors(
      "ROOT/topics/02-peaks/code/saxpy.cu:49:3: error: no matching function for call to 'launch'\n"
      "  gpu::launch<saxpy_kernel>(blocks, kThreads, n, a, x, y.data());\n"
      "  ^~~~~~~~~~~~~~~~~~~~~~~~~\n"
      "ROOT/gpu/include/gpu/launch.hpp:53:15: note: because "
      "'std::invocable<decltype(&saxpy_kernel), "
      "const long &>' evaluated to false\n"
      "/usr/include/c++/12/concepts:336:25: note: because 'is_invocable_v<void (*)(long, float, "
      "const float *, float *), const long &, float &, gpu::DeviceSpan<const float> &, float *>' "
      "evaluated to false\n");
  CHECK(shown.find("  const float* x    gpu::DeviceSpan<const float>  <- pass its .data()\n") !=
        std::string::npos);
  CHECK(shown.find("  float* y          float *\n") != std::string::npos);
}

TEST_CASE("a launch with too few arguments shows which one is missing") {
  const std::string shown = launch_errors(
      "ROOT/topics/02-peaks/code/saxpy.cu:49:3: error: no matching function for call to 'launch'\n"
      "  gpu::launch<saxpy_kernel>({.grid = 4}, n, a, x.data());\n"
      "  ^~~~~~~~~~~~~~~~~~~~~~~~~\n"
      "/usr/include/c++/12/concepts:336:25: note: because 'is_invocable_v<void (*)(long, float, "
      "const float *, float *), const long &, float &, const float *>' evaluated to false\n"
      "/usr/include/c++/12/concepts:336:25: note: because 'is_invocable_v<void (*)(long, float, "
      "const float *, float *), float &, const float *>' evaluated to false\n");
  CHECK(shown.find("  float* y          (nothing)\n") != std::string::npos);
  CHECK(shown.find("  std::int64_t n    const long\n") != std::string::npos);
}

namespace {

const std::string kFields =
    "  The fields, in order: .grid, .block, .shared_bytes, .stream, .warp_width.\n";

/// GCC 12's errors for a launch whose braces, at `place`, are not a launch configuration.
std::string braces_refused(const std::string& place, const std::string& code,
                           const std::string& converted) {
  return place +
         "error: no matching function for call to 'launch<saxpy_kernel>(<brace-enclosed "
         "initializer list>, int64_t&, float&, const float*, float*)'\n" +
         code + "ROOT/gpu/include/gpu/launch.hpp:46:6: note: candidate: 'template<auto kernel>'\n" +
         place + "note:   cannot convert '" + converted +
         "' (type '<brace-enclosed initializer list>') to type 'const gpu::LaunchConfig&'\n" +
         code +
         "/usr/include/c++/12/concepts:336:25: note: the expression 'is_invocable_v<_Fn, _Args "
         "...> "
         "[with _Fn = void (*)(long int, float, const float*, float*); _Args = {float&, const "
         "float*, float*}]' evaluated to 'false'\n";
}

}  // namespace

TEST_CASE("a field that a launch does not have is named, and no argument called wrong (GCC)") {
  const std::string code =
      "   49 |   gpu::launch<saxpy_kernel>({.grid = model->rows, .blok = 256}, n, a, x, y);\n"
      "      |   ~~~~~~~~~~~~~~~~~~~~~~~~~^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n";
  CHECK(launch_errors(braces_refused("ROOT/topics/02-peaks/code/saxpy.cu:49:28: ", code,
                                     "{model->rows, 256}")) ==
        "topics/02-peaks/code/saxpy.cu:49: error: a launch has no field .blok\n" + code + kFields);
}

TEST_CASE("the same with clang, and with braces below the launch's line") {
  const support::TemporaryFolder root;
  root.write("topics/02-peaks/code/saxpy.cu",
             "void f() {\n"
             "  gpu::launch<saxpy_kernel>(\n"
             "      {.grid = gpu::blocks_for(n, 256),\n"
             "       .blok = 256},\n"
             "      n, a, x.data(), y.data());\n"
             "}\n");
  const std::string shown = grader::first_errors(
      "topics/02-peaks/code/saxpy.cu:2:3: error: no matching function for call to 'launch'\n"
      "  gpu::launch<saxpy_kernel>(\n"
      "  ^~~~~~~~~~~~~~~~~~~~~~~~~\n"
      "gpu/include/gpu/launch.hpp:54:6: note: candidate function template not viable: cannot "
      "convert initializer list argument to 'gpu::GridAt'\n"
      "gpu/include/gpu/launch.hpp:46:6: note: candidate function template not viable: cannot "
      "convert initializer list argument to 'const gpu::LaunchConfig'\n",
      root.path);
  CHECK(shown.find("saxpy.cu:2: error: a launch has no field .blok\n") != std::string::npos);
}

TEST_CASE("braces whose fields exist are said not to convert") {
  const std::string code = "   49 |   gpu::launch<saxpy_kernel>({.grid = \"4\"}, n, a, x, y);\n";
  const std::string shown =
      launch_errors(braces_refused("ROOT/topics/02-peaks/code/saxpy.cu:49:28: ", code, "{\"4\"}"));
  CHECK(shown.find("the braces of this launch does not convert to its fields") !=
        std::string::npos);
  CHECK(shown.find("the kernel takes") == std::string::npos);
}

TEST_CASE("an error within the braces of a launch is the only one") {
  const std::string code =
      "   49 |   gpu::launch<saxpy_kernel>({.grid = 4, .block = device.warp_size}, n, a, x, y);\n";
  const std::string error =
      "topics/02-peaks/code/saxpy.cu:49:60: error: 'struct gpu::DeviceProperties' has no member "
      "named 'warp_size'\n" +
      code;
  CHECK(launch_errors("ROOT/" + error +
                      braces_refused("ROOT/topics/02-peaks/code/saxpy.cu:49:28: ", code,
                                     "{4, <expression error>}")) == error);
}

TEST_CASE("fields in the wrong order are put right once, without the build tool's lines") {
  const support::TemporaryFolder root;
  const std::string launch =
      "  gpu::launch<saxpy_kernel>({.block = 256, .grid = rows}, n, a, x, y);\n";
  root.write("topics/02-peaks/code/saxpy.cu", "void f() {\n" + launch + "}\n");
  const std::string error =
      "topics/02-peaks/code/saxpy.cu:2:33: error: designator order for field "
      "'gpu::LaunchConfig::grid' does not match declaration order in 'const gpu::LaunchConfig'\n";
  const std::string code = "    2 | " + launch;
  // GCC shows the code of a place once, however many errors it reports there.
  CHECK(grader::first_errors(error + code + error +
                                 "[2/4] Building CXX object CMakeFiles/saxpy.dir/saxpy.cu.o\n"
                                 "FAILED: CMakeFiles/saxpy.dir/saxpy.cu.o\n" +
                                 error + code,
                             root.path) ==
        "topics/02-peaks/code/saxpy.cu:2: error: the fields of a launch stand in their order, "
        ".grid before .block\n" +
            code + kFields);
}

TEST_CASE("an error is shown once, whatever the compiler guesses, without the build tool's lines") {
  const auto error = [](const std::string& guess) {
    return "topics/02-peaks/code/saxpy.cu:49:40: error: 'kTreads' was not declared in this scope; "
           "did you mean '" +
           guess + "'?\n";
  };
  const std::string code =
      "   49 |   gpu::launch<saxpy_kernel>(rows, kTreads, n, a, x.data(), y.data());\n"
      "      |                                   ^~~~~~~\n";
  CHECK(errors_of(error("read") + code + error("fread") + code) == error("read") + code);
  CHECK(errors_of(error("read") + "[2/4] Building CXX object CMakeFiles/x.o\n"
                                  "FAILED: CMakeFiles/x.o\n") == error("read"));
}

TEST_CASE("an error about a number that counts says what to write") {
  const std::string shown = errors_of(
      "/home/me/labs/topics/01-ai-basics/code/stencil7.cu:27:23: error: cannot convert 'const "
      "gpu::counting::Counting<float>' to 'const float' in initialization\n"
      "   27 |     const float own = in[here];\n"
      "      |                       ^~~~~~~~\n");
  CHECK(shown ==
        "topics/01-ai-basics/code/stencil7.cu:27:23: error: cannot convert 'const "
        "gpu::Counting<float>' to 'const float' in initialization\n"
        "   27 |     const float own = in[here];\n"
        "      |                       ^~~~~~~~\n"
        "  T also stands for a number that counts: write T where you wrote float or double.\n");
}

TEST_CASE("an error that plain numbers have too is said once, and not put down to the type") {
  // GCC 12's errors for fill_bytes called as a member, if both instances are compiled.
  const auto error = [](const std::string& type) {
    return "topics/01-ai-basics/code/sum.cu:27:9: error: 'class gpu::DeviceSpan<" + type +
           ">' has no member named 'fill_bytes'; did you mean 'size_bytes'?\n"
           "   27 |   total.fill_bytes(0);\n"
           "      |   ~~~~~~^~~~~~~~~~\n";
  };
  const std::string plain = error("float");
  const std::string counting = error("gpu::counting::Counting<float> ");
  CHECK(errors_of(plain + counting) == plain);
  CHECK(errors_of(counting + plain) == plain);
}

TEST_CASE("an error about a number that counts leads to the student's line from a header") {
  const std::string shown = errors_of(
      "/home/me/labs/topics/01-ai-basics/code/sum.cu:50:9:   required from here\n"
      "/usr/include/c++/12/cmath:605:5: error: no type named '__type' for "
      "gpu::counting::Counting<float>\n");
  CHECK(shown.find("topics/01-ai-basics/code/sum.cu:50: what this line uses") == 0);
  CHECK(shown.find("write T where you wrote float or double") != std::string::npos);
}
