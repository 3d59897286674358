// SPDX-License-Identifier: MIT
// The sources and numbers, listed.
#include "contents.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/files.hpp"
#include "base/text.hpp"

namespace adversarial {

namespace fs = std::filesystem;

const std::vector<Source>& sources() {
  static const std::vector<Source> kAll = {
      {"its own malloc", "#include <cstdlib>\nvoid* malloc(std::size_t) noexcept { return 0; }",
       "defines malloc"},
      {"a weak malloc",
       "#include <cstddef>\nextern \"C\" __attribute__((weak)) void* malloc(std::size_t) noexcept "
       "{ return 0; }",
       "defines malloc"},
      {"its own clock",
       "#include <time.h>\nint clock_gettime(clockid_t, timespec*) noexcept { return 0; }",
       "defines clock_gettime"},
      {"a C++ clock under the library's name",
       "int now() asm(\"_ZNSt6chrono3_V212steady_clock3nowEv\");\nint now() { return 0; }",
       "defines _ZNSt6chrono"},
      {"a function renamed to write", "long f(int) asm(\"write\");\nlong f(int) { return 0; }",
       "defines write"},
      {"memcpy in assembler", "asm(\".globl memcpy\\nmemcpy: ret\");", "defines memcpy"},
      {"code in a constant called read",
       "__attribute__((section(\".text.x\"))) extern const unsigned char read[] = {0xc3};",
       "defines read"},
      {"its own main", "int main() { return 0; }", "defines main"},
      {"an exit that does not end", "extern \"C\" void _exit(int) { for (;;) asm volatile(\"\"); }",
       "defines _exit"},
      {"operator new for everybody",
       "#include <new>\nvoid* operator new(std::size_t) { return 0; }", "defines _Znwm"},
      {"the harness's answer to the grader",
       "namespace harness { struct Channel {}; int serve(Channel) { return 0; } }", "harness"},
      {"the same, weak",
       "namespace harness { struct Channel {}; __attribute__((weak)) int serve(Channel) { return "
       "0; "
       "} }",
       "harness"},
      {"the registration of labs",
       "namespace harness { struct LabEntry; bool register_lab(LabEntry) asm(\"RL\"); }\n"
       "int f() asm(\"_ZN7harness12register_labENS_8LabEntryE\");\nint f() { return 1; }",
       "defines _ZN7harness12register_lab"},
      {"a device of one's own",
       "#include \"harness/device.hpp\"\nstruct Mine : harness::DeviceMemory { std::byte* data() "
       "override { return 0; } void upload(std::span<const std::byte>) override {} void "
       "download(std::span<std::byte>) override {} void copy_from(DeviceMemory&) override {} void "
       "read(std::size_t, std::span<std::byte>) override {} };\nharness::DeviceMemory* make() { "
       "return new Mine; }",
       "belongs to the harness"},
      {"the list of what is registered",
       "namespace harness { struct Registry; Registry& registry(); }\nvoid* f() { return "
       "&harness::registry(); }",
       "belongs to the harness"},
      {"an oracle of one's own",
       "namespace harness { bool register_oracle(int); }\nbool f() { return "
       "harness::register_oracle(1); }",
       "belongs to the harness"},
      {"an answer of one's own",
       "namespace harness { bool register_answer(int); }\nbool f() { return "
       "harness::register_answer(1); }",
       "belongs to the harness"},
      {"the grader's channel",
       "namespace harness { struct Channel { Channel(int); }; }\nvoid f() { harness::Channel(3); }",
       "belongs to the harness"},
      {"to be watched by nobody in the checked run",
       "namespace gpu::cpu { struct Observer; Observer& observer_of_checked_kernels() noexcept { "
       "return *static_cast<Observer*>(nullptr); } }",
       "belongs to the harness"},
      {"to look at who watches the checked run",
       "namespace gpu::cpu { struct Observer; Observer* observer() noexcept; }\nvoid* f() { return "
       "gpu::cpu::observer(); }",
       "belongs to the harness"},
      {"an observer of one's own",
       "#include \"gpu/cpu/observer.hpp\"\nstruct Blind : gpu::cpu::Observer { std::size_t "
       "guard_bytes() const override { return 0; } void allocated(void*, std::size_t, "
       "gpu::SourceLocation) override {} void released(void*) override {} void "
       "open_device_memory() "
       "override {} void close_device_memory() override {} void copies(gpu::detail::CopyKind, "
       "std::size_t) override {} void sets_constant(const void*, std::size_t) override {} void "
       "launch_recorded() override {} void launch_replayed() override {} int "
       "warp_width() const override { return 0; } void "
       "launch_begins(const gpu::cpu::KernelLaunch&, void*, std::size_t) override {} "
       "std::optional<gpu::cpu::BlockRange> next_blocks(std::int64_t) override { return {}; } void "
       "enter_kernel_code() override {} void leave_kernel_code() override {} void block_begins() "
       "override {} void block_met() override {} void warp_met(int) override {} void launch_ends() "
       "override {} };\ngpu::cpu::Observer* make() { return new Blind; }",
       "belongs to the harness"},
      {"the checker that sees every access",
       "namespace gpu::cpu::check { struct Checker { static Checker& instance(); }; }\nvoid* f() { "
       "return &gpu::cpu::check::Checker::instance(); }",
       "belongs to the harness"},
      {"a count of one's own launches, to take them off the grader's",
       "#include <functional>\nnamespace gpu { struct Counts; void count(const "
       "std::function<void()>&); }\nvoid f() { gpu::count([] {}); }",
       "belongs to the harness"},
      {"the report of every read in the checked run", "extern \"C\" void __tsan_read4(void*) {}",
       "defines __tsan_read4"},
      {"the report of every write, weak",
       "extern \"C\" __attribute__((weak)) void __tsan_write4(void*) {}", "defines __tsan_write4"},
      {"the function that the linker puts in memcpy's place",
       "extern \"C\" void* __wrap_memcpy(void* to, const void*, unsigned long) { return to; }",
       "defines __wrap_memcpy"},
      {"a constructor", "int x;\n__attribute__((constructor)) void early() { x = 1; }",
       "runs by itself"},
      {"a function that a program's start-up code calls",
       "int x;\nextern \"C\" void __gmon_start__() { x = 1; }", "belongs to a runtime"},
      {"a constructor with a rank",
       "int x;\n__attribute__((constructor(101))) static void early() { x = 1; }",
       "runs by itself"},
      {"a constructor under a name as compilers give",
       "int x;\nstatic void early() asm(\"_GLOBAL__early\");\n__attribute__((constructor)) static "
       "void early() { x = 1; }",
       "runs by itself"},
      {"a constructor called as what registers kernels with HIP",
       "int x;\nstatic void early() asm(\"__hip_module_ctor_of_mine\");\n"
       "__attribute__((constructor)) static void early() { x = 1; }",
       "runs by itself"},
      {"a constructor called as a sanitizer's",
       "int x;\nstatic void early() asm(\"_sub_I_early\");\n__attribute__((constructor(101))) "
       "static void early() { x = 1; }",
       "runs by itself"},
      {"a variable that is computed before all others",
       "#include <vector>\n__attribute__((init_priority(101))) static std::vector<int> "
       "table(100, 1);\nint f() { return table[3]; }",
       "runs by itself"},
      {"a destructor", "int x;\n__attribute__((destructor)) static void late() { x = 1; }",
       "runs by itself"},
      {"an entry in the table of constructors",
       "static void early() {}\n__attribute__((section(\".init_array\"), used)) static void "
       "(*entry)() = early;",
       "runs by itself"},
      {"an entry in the table before all constructors",
       "static void early() {}\n__attribute__((section(\".preinit_array\"), used)) static void "
       "(*entry)() = early;",
       ".preinit_array"},
      {"an entry in the old table of constructors",
       "static void early() {}\n__attribute__((section(\".ctors\"), used)) static void (*entry)() "
       "= "
       "early;",
       ".ctors"},
      {"code in .init", "asm(\".section .init,\\\"ax\\\"\\nnop\\n.text\");", ".init"},
      {"code in .fini", "asm(\".section .fini,\\\"ax\\\"\\nnop\\n.text\");", ".fini"},
      {"a section of its own",
       "__attribute__((section(\"harness_table\"), used)) static int x = 1;", "custom section"},
      {"a function that is chosen at load time",
       "static void real() {}\n__attribute__((used)) static void (*choose())() { return real; }\n"
       "void f() __attribute__((ifunc(\"_ZL6choosev\")));",
       "chosen at load time"},
      {"a version of a library's function",
       "extern \"C\" void mine() {}\nasm(\".symver mine,fopen@@GLIBC_2.2.5\");", "version of"},
      {"an alias of its function",
       "extern \"C\" int mine() { return 0; }\nextern \"C\" int getpid() "
       "__attribute__((alias(\"mine\")));",
       "defines getpid"},
      {"a function of OpenMP", "extern \"C\" int omp_get_max_threads() { return 1; }",
       "belongs to a runtime"},
      {"a function of CUDA", "extern \"C\" int cudaEventElapsedTime(float*) { return 0; }",
       "belongs to a runtime"},
      {"a reset of the GPU in the middle of a race",
       "extern \"C\" int cudaDeviceReset();\nvoid f() { cudaDeviceReset(); }",
       "takes the device from the harness"},
      {"the same on an AMD GPU",
       "extern \"C\" int hipDeviceReset();\nvoid f() { hipDeviceReset(); }",
       "takes the device from the harness"},
      {"the same through the driver",
       "extern \"C\" int cuDevicePrimaryCtxReset_v2(int);\nvoid f() { "
       "cuDevicePrimaryCtxReset_v2(0); }",
       "takes the device from the harness"},
      {"work on another GPU",
       "extern \"C\" int cudaSetDevice(int);\nvoid f() { cudaSetDevice(1); }",
       "a device that the harness did not choose"},
      {"a function of the host in the GPU's queue",
       "extern \"C\" int cudaLaunchHostFunc(void*, void (*)(void*), void*);\nvoid g(void*) "
       "{}\nvoid f() { cudaLaunchHostFunc(nullptr, g, nullptr); }",
       "runs host functions"},
      {"a function of the GPU's driver by its name",
       "extern \"C\" int cudaGetDriverEntryPoint(const char*, void**, unsigned long long, void*);\n"
       "void f(void** p) { cudaGetDriverEntryPoint(\"cuCtxDestroy\", p, 0, nullptr); }",
       "finds functions by their names"},
      {"the environment", "char** environ = nullptr;", "defines environ"},
      {"a call of mprotect, to open what is sealed",
       "#include <sys/mman.h>\nint f(void* p) { return mprotect(p, 4096, PROT_READ); }",
       "calls mprotect"},
      {"a mapping over the sealed page",
       "#include <sys/mman.h>\nvoid* f(void* p) { return mmap(p, 4096, PROT_READ, MAP_FIXED | "
       "MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }",
       "calls mmap"},
      {"the same by the number of the system call",
       "#include <unistd.h>\n#include <sys/syscall.h>\nlong f(void* p) { return "
       "syscall(SYS_mprotect, "
       "p, 4096, 1); }",
       "calls syscall"},
      {"a function found by its name",
       "#include <dlfcn.h>\nvoid* f() { return dlsym(RTLD_DEFAULT, \"mprotect\"); }",
       "calls dlsym"},
      {"a timer that interrupts the harness",
       "#include <sys/time.h>\nint f() { itimerval t{}; return setitimer(ITIMER_REAL, &t, 0); }",
       "calls setitimer"},
      {"a handler of signals", "#include <csignal>\nvoid f() { std::signal(SIGUSR1, [](int) {}); }",
       "calls signal"},
      {"a thread beside a kernel, which could work while inputs are put back",
       "#include <thread>\nvoid f() { std::thread([] {}).detach(); }", "starts a thread"},
      {"the same with C",
       "#include <pthread.h>\nvoid* g(void*) { return 0; }\nvoid f() { pthread_t t; "
       "pthread_create(&t, 0, g, 0); }",
       "starts a thread"},
      {"the same as a task",
       "#include <future>\nint f() { return std::async([] { return 1; }).get(); }",
       "starts a thread"},
      {"a signature of one's own under a reply",
       "namespace harness { struct Value {}; Value signed_reply(const Value&); }\nvoid f() { "
       "harness::signed_reply({}); }",
       "belongs to the harness"},

      {"what a launch and its memory need of a GPU's runtime",
       "extern \"C\" int cudaMalloc(void**, unsigned long);\nextern \"C\" int cudaFree(void*);\n"
       "extern \"C\" int cudaDeviceSynchronize();\nextern \"C\" int cudaLaunchKernel(const "
       "void*);\n"
       "void f(void** p) { cudaMalloc(p, 8); cudaLaunchKernel(p); cudaDeviceSynchronize(); "
       "cudaFree(*p); }",
       "", grader::ObjectOf::kKernel, true},
      {"mprotect under its other name",
       "extern \"C\" int __mprotect(void*, unsigned long, int);\nint f(void* p) { return "
       "__mprotect(p, 4096, 3); }",
       "which changes what memory can be reached"},
      {"the end of the heap", "#include <unistd.h>\nvoid* f() { return sbrk(4096); }",
       "which changes what memory can be reached"},
      {"a handler of signals under its other name",
       "#include <signal.h>\nextern \"C\" int __sigaction(int, const struct sigaction*, struct "
       "sigaction*);\nvoid f() { struct sigaction a {}; __sigaction(SIGSEGV, &a, nullptr); }",
       "which interrupts the program"},
      {"a handler of signals in the manner of BSD",
       "extern \"C\" void (*bsd_signal(int, void (*)(int)))(int);\nvoid f() { bsd_signal(11, "
       "[](int) "
       "{}); }",
       "which interrupts the program"},
      {"a handler of signals in the manner of System V",
       "extern \"C\" void (*sigset(int, void (*)(int)))(int);\nvoid f() { sigset(11, [](int) {}); "
       "}",
       "which interrupts the program"},
      {"the library that an address is in",
       "#include <dlfcn.h>\nvoid* f() { Dl_info info; void* map = nullptr; dladdr1((void*)&f, "
       "&info, "
       "&map, RTLD_DL_LINKMAP); return map; }",
       "which finds functions"},
      {"the list of libraries for debuggers",
       "#include <link.h>\nvoid* f() { return _r_debug.r_map; }", "which finds functions"},
      {"a read that a thread of the C library makes",
       "#include <aio.h>\nvoid f(aiocb* block) { aio_read(block); }", "which starts a thread"},
      {"functions and variables called as withheld ones are, of its own",
       "static int signal(int x) { return x; }\nnamespace ada { int brk(int x) { return x; } int "
       "sigset = 1; }\nint f() { return signal(1) + ada::brk(2) + ada::sigset; }"},
      {"a jump within a function",
       "#include <csetjmp>\nint f(int x) { std::jmp_buf here; if (setjmp(here) != 0) return 1; if "
       "(x) "
       "std::longjmp(here, 1); return 0; }"},
      {"a helper that others could see", "int helper(int x) { return x + 1; }"},
      {"a weak helper", "__attribute__((weak)) int helper(int x) { return x + 1; }"},
      {"a locale of its own, with decimal commas",
       "#include <locale>\nstruct Comma : std::numpunct<char> { char do_decimal_point() const "
       "override { return ','; } };\nvoid f() { std::locale::global(std::locale(std::locale(), "
       "new Comma)); }",
       "", grader::ObjectOf::kFunction},
      {"a helper for this file",
       "static int helper(int x) { return x; }\nint f() { return "
       "helper(1); }"},
      {"a helper in a namespace", "namespace ada { int helper() { return 1; } }"},
      {"a helper with C linkage", "extern \"C\" int ada_helper() { return 1; }"},
      {"a function called read, in C++",
       "int read(int x) { return x; }\nint write(int x) { return "
       "x; }"},
      {"a template", "template <class T> T twice(T x) { return 2 * x; }\ntemplate int twice(int);"},
      {"an inline function", "inline int f() { return 1; }\nint (*g)() = f;"},
      {"a class with virtual functions",
       "struct A { virtual ~A() = default; virtual int f() { return 1; } };\nstruct B : A { int "
       "f() "
       "override { return 2; } };\nA* make() { return new B; }"},
      {"variables of the file", "int count = 0;\nstatic int other = 1;\nconst int kBlock = 256;"},
      {"a variable called y1, as a function of C is", "float y1 = 1;\nfloat index = 2;", "",
       grader::ObjectOf::kKernel, true},
      {"a constexpr table",
       "constexpr int kTable[] = {1, 2, 3};\nint f(int i) { return kTable[i]; }"},
      {"a variable that is computed at start",
       "#include <vector>\nstatic std::vector<int> table(100, 1);\nint f() { return table[3]; }"},
      {"an inline variable",
       "#include <string>\ninline const std::string name = \"a name that is long enough\";\nconst "
       "char* f() { return name.c_str(); }"},
      {"a variable of each thread", "thread_local int mine = 1;\nint f() { return ++mine; }"},
      {"iostream", "#include <iostream>\nvoid f() { std::cerr << 1; }"},
      {"exceptions",
       "#include <stdexcept>\nint f(int x) { try { if (x) throw std::runtime_error(\"x\"); } catch "
       "(const std::exception&) { return 1; } return 0; }"},
      {"an exception that is kept",
       "#include <exception>\nstd::exception_ptr f() { return std::current_exception(); }"},
      {"threads and a mutex, in a function",
       "#include <thread>\n#include <mutex>\nstd::mutex m;\nvoid f() { std::thread([] { "
       "std::lock_guard g(m); }).join(); }",
       "", grader::ObjectOf::kFunction},
      {"a task, and what several share",
       "#include <future>\n#include <memory>\nint f() { auto p = std::make_shared<int>(1); return "
       "std::async([p] { return *p; }).get(); }",
       "", grader::ObjectOf::kFunction},
      {"OpenMP",
       "void f(float* x) {\n#pragma omp parallel for\nfor (int i = 0; i < 9; ++i) x[i] = 1; }"},
      {"containers and algorithms",
       "#include <algorithm>\n#include <map>\n#include <vector>\nint f(std::vector<int> v) { "
       "std::map<int, int> m; for (int x : v) ++m[x]; std::sort(v.begin(), v.end()); return "
       "m.begin()->second; }"},
      {"std::function and lambdas",
       "#include <functional>\nstd::function<int(int)> f(int a) { return [a](int x) { return a * "
       "x; "
       "}; }"},
      {"a hash for one's own type",
       "#include <functional>\nstruct P { int x; };\ntemplate <> struct std::hash<P> { std::size_t "
       "operator()(const P& p) const { return std::size_t(p.x); } };\nstd::size_t f(P p) { return "
       "std::hash<P>()(p); }"},
      {"operator new in a place",
       "#include <new>\nstruct A { A(); };\nA* f(void* p) { return new (p) A; }", "",
       grader::ObjectOf::kKernel, true},
      {"operator new of a class",
       "#include <new>\nstruct A { static void* operator new(std::size_t n) { return ::operator "
       "new(n); } };\nA* f() { return new A; }"},
      {"a kernel and its lab",
       "#include \"harness/lab.hpp\"\nvoid saxpy(float a, gpu::DeviceSpan<const float> x, "
       "gpu::DeviceSpan<float> y) { if (x.size() > 0) y.data()[0] = a; }\nHARNESS_LAB(saxpy, "
       "{.flops_per_element = 2})",
       "", grader::ObjectOf::kKernel, true},
      {"a function and its registration",
       "#include \"harness/function.hpp\"\ndouble twice(double x) { return 2 * "
       "x; }\nHARNESS_FUNCTION(twice)",
       "", grader::ObjectOf::kKernel, true},
  };
  return kAll;
}

std::vector<Reach> out_of_reach() {
  const fs::path source = RL_SOURCE, course = RL_TEST_COURSE;
  return {{"the solution", course / "solutions/90-course/formulas.cpp"},
          {"the oracle", course / "topics/90-course/oracle/oracle.cpp"},
          {"the exercises with their tolerances", course / "topics/90-course/exercises.toml"},
          {"solutions of the course", source / "solutions/02-peaks/formulas.cpp"},
          {"other topics", source / "topics/02-peaks/formulas.cpp"},
          {"a benchmark that is nearly a solution", source / "bench/topics/saxpy_variants.cu"},
          {"published errata with their answers", source / "data/errata/peaks.toml"},
          {"the tests", source / "tests/adversarial/saxpy/replays.diff"},
          {"the grader's sources", source / "grader/src/batch/batch.cpp"},
          {"the private headers of the harness", source / "harness/src/registry.hpp"},
          {"the checkout's own copy of a header", source / "harness/include/harness/lab.hpp"},
          {"the build tree's cache", fs::path(RL_BUILD) / "CMakeCache.txt"},
          {"other programs", fs::path(RL_BUILD) / "bin"},
          {"the list of users", "/etc/passwd"}};
}

const std::vector<std::string>& ways_to_hide() {
  static const std::vector<std::string> kAll = {
      "__attribute__((no_sanitize(\"thread\")))",
      "__attribute__((__no_sanitize__(\"thread\")))",
      "[[gnu::no_sanitize(\"thread\")]]",
      "__attribute__((no_sanitize_thread))",
      "__attribute__((disable_sanitizer_instrumentation))",
      "__attribute__((no_sanitize_coverage))",
      "GPU_UNINSTRUMENTED",
      "JOINED(no_, sanitize)",
      "REDEFINED",
      "asm(\"\");",
      "__asm__(\"\");",
      "__asm(\"\");"};
  return kAll;
}

namespace {

constexpr const char* kUndefines = "#undef no_sanitize";

/// The macros that a way needs before the file's first #include.
std::string macros_for(const std::string& way) {
  if (way == "REDEFINED") return std::string(kUndefines) + "\n#define REDEFINED\n";
  if (way.starts_with("JOINED")) return "#define JOINED(a, b) __attribute__((a##b(\"thread\")))\n";
  return {};
}

}  // namespace

std::string kernel_that_hides(const std::vector<std::string>& ways) {
  std::string source =
      base::read_file(fs::path(RL_TEST_COURSE) / "solutions/90-course/code/saxpy.cu");
  std::string macros, helpers, reads;
  int number = 0;
  for (const std::string& way : ways) {
    const std::string hidden = "hidden" + std::to_string(number++);
    macros += macros_for(way);
    helpers += way + " __device__ float " + hidden + "(const float* at) { return *at; }\n";
    reads += (reads.empty() ? "" : ", ") + hidden + "(x + i)";
  }
  const std::string read = "a * x[i]";
  source.replace(source.find(read), read.size(), "a * (" + reads + ")");
  source.insert(source.find("__global__"), helpers);
  return macros + source;  // before everything that the file includes
}

std::size_t line_that_hides(const std::string& kernel, const std::string& way) {
  const std::string begin = way == "REDEFINED" ? kUndefines : way + " __device__";
  const std::vector<std::string> lines = base::lines_of(kernel);
  const auto found = std::find_if(lines.begin(), lines.end(),
                                  [&](const std::string& line) { return line.starts_with(begin); });
  if (found == lines.end()) throw std::runtime_error("no kernel that hides by " + way);
  return 1 + static_cast<std::size_t>(found - lines.begin());
}

const std::vector<std::string>& number_tricks() {
  static const std::vector<std::string> kAll = {"nan",
                                                "inf",
                                                "-inf",
                                                "1e999",
                                                "0x1p-3",
                                                "0x0.2AAAAAp0",
                                                "1_6e-2",
                                                "0,1667",
                                                "0.1:0.2",
                                                "0.1-0.2",
                                                "0.1..0.2",
                                                "[0.1667, 0.25]",
                                                "0.1667, 0.25",
                                                "0.1667;0.25",
                                                "0.1667 or 0.25",
                                                "0.1667 FLOP/bit",
                                                "0.1667 B/FLOP",
                                                "0.1667e",
                                                "0.1667 0.1667",
                                                "$(cat)",
                                                "\xef\xbc\x90.1667",
                                                "0.1667\x01",
                                                "*",
                                                "0.1667 +- 1"};
  return kAll;
}

const std::vector<std::string>& honest_numbers() {
  static const std::vector<std::string> kAll = {"0.1667",         "1/6",     "166.7 mFLOP/B",
                                                "0.1667\tFLOP/B", "+0.1667", "1.667e-1"};
  return kAll;
}

}  // namespace adversarial
