// SPDX-License-Identifier: MIT
// Rules on the symbols and sections of a student's object.
#include "grader/program/object_check.hpp"

#include <algorithm>
#include <array>

#ifdef __linux__
#include <link.h>
#endif

#include "grader/program/object_file.hpp"
#include "grader/program/sanitize.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

template <class List>
bool begins_with_one_of(std::string_view text, const List& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return text.starts_with(beginning); });
}

/// Sections that compilers create, including those for GPUs.
bool is_usual_section(std::string_view name) {
  constexpr std::array<std::string_view, 29> kUsual = {".text",
                                                       ".data",
                                                       ".bss",
                                                       ".rodata",
                                                       ".tdata",
                                                       ".tbss",
                                                       ".init_array",
                                                       ".fini_array",
                                                       ".eh_frame",
                                                       ".gcc_except_table",
                                                       ".comment",
                                                       ".note",
                                                       ".group",
                                                       ".symtab",
                                                       ".strtab",
                                                       ".shstrtab",
                                                       ".rela",
                                                       ".debug",
                                                       ".llvm",
                                                       ".lbss",
                                                       ".ldata",
                                                       ".lrodata",
                                                       ".nv",
                                                       "__nv",
                                                       ".hip",
                                                       "__CLANG_OFFLOAD_BUNDLE",
                                                       ".ident",
                                                       ".gnu.build.attributes",
                                                       ".linker-options"};
  return name.empty() || begins_with_one_of(name, kUsual);
}

/// Functions that compilers create to run before or after main: for variables, for sanitizers, and
/// to register kernels with a GPU's runtime. An object has each at most once, under this name or a
/// longer one.
struct UsualHook {
  std::string_view name;
  bool goes_on = false;
};
constexpr std::array<UsualHook, 12> kUsualHooks = {{{"_GLOBAL__sub_I_", true},
                                                    {"_GLOBAL__sub_D_", true},
                                                    {"_sub_I_00099_", true},  // GCC's sanitizers
                                                    {"_sub_D_00099_", true},
                                                    {"tsan.module_ctor"},
                                                    {"tsan.module_dtor"},
                                                    {"asan.module_ctor"},
                                                    {"asan.module_dtor"},
                                                    {"__hip_module_ctor"},
                                                    {"__hip_module_dtor"},
                                                    {"_ZL24__sti____cudaRegisterAllv"},
                                                    {"__sti____cudaRegisterAll"}}};

/// Clang initialises each inline variable in a separate function; these are numbered from the
/// second on.
bool is_inline_variable(std::string_view hook) {
  constexpr std::string_view kName = "__cxx_global_var_init";
  if (!hook.starts_with(kName)) return false;
  hook.remove_prefix(kName.size());
  return hook.empty() ||
         (hook.front() == '.' && hook.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

/// The first function that runs before or after main and was not created by the compiler; empty if
/// there is none.
std::string unusual_hook(const std::vector<std::string>& hooks) {
  std::array<int, kUsualHooks.size()> seen{};
  for (const std::string& hook : hooks) {
    if (is_inline_variable(hook)) continue;
    const auto own = std::find_if(kUsualHooks.begin(), kUsualHooks.end(), [&](const UsualHook& u) {
      return u.goes_on ? hook.starts_with(u.name) : hook == u.name;
    });
    if (own == kUsualHooks.end()) return hook;
    if (++seen.at(static_cast<std::size_t>(own - kUsualHooks.begin())) > 1) return hook;
  }
  return {};
}

/// Parts of mangled names that are private to the harness, and names of the code that watches and
/// counts checked kernels: gpu::count in a student's function would keep its launches out of the
/// count.
bool is_private_to_harness(std::string_view name) {
  constexpr std::array<std::string_view, 17> kPrivate = {"7harness8registryE",
                                                         "7harness5serveE",
                                                         "7harness15register_oracle",
                                                         "7harness15register_answer",
                                                         "7harness7Channel",
                                                         "7harness15checked_requestE",
                                                         "7harness12signed_replyE",
                                                         "7harness14signed_messageE",
                                                         "7harness15checked_messageE",
                                                         "7harness12SharedMemory",
                                                         "N7harness6DeviceE",
                                                         "N7harness12DeviceMemoryE",
                                                         "3gpu5countERK",
                                                         "3gpu3cpu8observerE",
                                                         "3gpu3cpu27observer_of_checked_kernelsE",
                                                         "N3gpu3cpu8ObserverE",
                                                         "3gpu3cpu5check"};
  return std::any_of(kPrivate.begin(), kPrivate.end(), [&](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  });
}

/// Names of the GPU and OpenMP runtimes, which may be linked statically, and names that the loader
/// or a program's startup code calls and that no library defines.
bool is_of_runtime(std::string_view name) {
  constexpr std::array<std::string_view, 11> kRuntimes = {
      "cuda",           "hip",   "nccl",           "GOMP_", "omp_",   "__kmpc_",
      "__gmon_start__", "_ITM_", "__tls_get_addr", "_dl_",  "__libc_"};
  return begins_with_one_of(name, kRuntimes);
}

/// Global operators new and delete; they are weak in the C++ library so that programs can replace
/// them.
bool is_operator_for_all(std::string_view name) {
  constexpr std::array<std::string_view, 4> kBeginnings = {"_Znw", "_Zna", "_Zdl", "_Zda"};
  // Placement forms only return their argument; they are inline functions of <new>.
  constexpr std::array<std::string_view, 4> kPlacement = {"_ZnwmPv", "_ZnamPv", "_ZdlPvS_",
                                                          "_ZdaPvS_"};
  return begins_with_one_of(name, kBeginnings) &&
         std::find(kPlacement.begin(), kPlacement.end(), name) == kPlacement.end();
}

/// System functions that no exercise needs and that would remove the protection of the harness from
/// a student's code in the same process.
struct Withheld {
  std::string_view name;
  std::string_view what;
};
constexpr std::string_view kMapsMemory = "which changes what memory can be reached";
constexpr std::string_view kFindsFunctions = "which finds functions by their names";
constexpr std::string_view kAsksSystem = "which asks the system for anything";
constexpr std::string_view kInterrupts = "which interrupts the program";
constexpr std::string_view kStartsThreads =
    "which starts a thread: a kernel and its launch need none";
constexpr std::array<Withheld, 39> kWithheld = {{{"mprotect", kMapsMemory},
                                                 {"pkey_mprotect", kMapsMemory},
                                                 {"pkey_set", kMapsMemory},
                                                 {"mmap", kMapsMemory},
                                                 {"mmap64", kMapsMemory},
                                                 {"munmap", kMapsMemory},
                                                 {"mremap", kMapsMemory},
                                                 {"remap_file_pages", kMapsMemory},
                                                 {"madvise", kMapsMemory},
                                                 {"process_madvise", kMapsMemory},
                                                 {"shmat", kMapsMemory},
                                                 {"process_vm_readv", kMapsMemory},
                                                 {"process_vm_writev", kMapsMemory},
                                                 {"brk", kMapsMemory},
                                                 {"sbrk", kMapsMemory},
                                                 {"dlopen", kFindsFunctions},
                                                 {"dlmopen", kFindsFunctions},
                                                 {"dlsym", kFindsFunctions},
                                                 {"dlvsym", kFindsFunctions},
                                                 {"dl_iterate_phdr", kFindsFunctions},
                                                 {"dladdr", kFindsFunctions},
                                                 {"dladdr1", kFindsFunctions},
                                                 {"dlinfo", kFindsFunctions},
                                                 {"dl_find_object", kFindsFunctions},
                                                 {"r_debug", kFindsFunctions},
                                                 {"DYNAMIC", kFindsFunctions},
                                                 {"syscall", kAsksSystem},
                                                 {"prctl", kAsksSystem},
                                                 {"ptrace", kAsksSystem},
                                                 {"sigaction", kInterrupts},
                                                 {"signal", kInterrupts},
                                                 {"bsd_signal", kInterrupts},
                                                 {"sysv_signal", kInterrupts},
                                                 {"ssignal", kInterrupts},
                                                 {"sigset", kInterrupts},
                                                 {"setitimer", kInterrupts},
                                                 {"timer_create", kInterrupts},
                                                 {"alarm", kInterrupts},
                                                 {"ualarm", kInterrupts}}};
/// Functions of a GPU's runtime or driver that take its device, or data on it, away from the
/// harness. Versions of a function have suffixes like _v2 or _ptsz.
constexpr std::string_view kTakesDevice = "which takes the device from the harness";
constexpr std::string_view kOtherDevice = "which turns to a device that the harness did not choose";
constexpr std::string_view kRunsOnHost = "which runs host functions alongside the harness";
constexpr std::array<Withheld, 22> kWithheldOfGpus = {{{"cudaDeviceReset", kTakesDevice},
                                                       {"hipDeviceReset", kTakesDevice},
                                                       {"cuDevicePrimaryCtxReset", kTakesDevice},
                                                       {"cuDevicePrimaryCtxRelease", kTakesDevice},
                                                       {"hipDevicePrimaryCtxRe", kTakesDevice},
                                                       {"cuCtxDestroy", kTakesDevice},
                                                       {"hipCtxDestroy", kTakesDevice},
                                                       {"cudaSetDevice", kOtherDevice},
                                                       {"cudaSetValidDevices", kOtherDevice},
                                                       {"cudaInitDevice", kOtherDevice},
                                                       {"hipSetDevice", kOtherDevice},
                                                       {"hipSetValidDevices", kOtherDevice},
                                                       {"cuCtxSetCurrent", kOtherDevice},
                                                       {"hipCtxSetCurrent", kOtherDevice},
                                                       {"cuCtxCreate", kOtherDevice},
                                                       {"hipCtxCreate", kOtherDevice},
                                                       {"cudaLaunchHostFunc", kRunsOnHost},
                                                       {"cuLaunchHostFunc", kRunsOnHost},
                                                       {"hipLaunchHostFunc", kRunsOnHost},
                                                       {"cudaGetDriverEntryPoint", kFindsFunctions},
                                                       {"cuGetProcAddress", kFindsFunctions},
                                                       {"hipGetProcAddress", kFindsFunctions}}};
/// A thread could work while the harness restores inputs, or change counts while a kernel runs.
constexpr std::array<Withheld, 12> kWithheldFromKernels = {
    {{"pthread_create", kStartsThreads},
     {"thrd_create", kStartsThreads},
     {"clone", kStartsThreads},
     {"aio_read", kStartsThreads},
     {"aio_read64", kStartsThreads},
     {"aio_write", kStartsThreads},
     {"aio_write64", kStartsThreads},
     {"lio_listio", kStartsThreads},
     {"lio_listio64", kStartsThreads},
     {"mq_notify", kStartsThreads},
     {"getaddrinfo_a", kStartsThreads},
     {"_ZNSt6thread15_M_start_thread", kStartsThreads}}};

/// The C library has some functions under several names: __mprotect, __libc_sigaction.
std::string_view without_prefix(std::string_view name) {
  if (name.starts_with("_Z")) return name;
  name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
  constexpr std::string_view kLibrary = "libc_";
  if (name.starts_with(kLibrary)) name.remove_prefix(kLibrary.size());
  return name;
}

std::string refusal_of_use(const std::string& name, ObjectOf what) {
  const std::string_view plain = without_prefix(name);
  const auto refusal = [&](const Withheld& withheld) {
    return "it calls " + sanitize_line(name, 100) + ", " + std::string(withheld.what);
  };
  for (const Withheld& withheld : kWithheld) {
    if (plain == withheld.name) return refusal(withheld);
  }
  for (const Withheld& withheld : kWithheldOfGpus) {
    if (name.starts_with(withheld.name)) return refusal(withheld);
  }
  if (what != ObjectOf::kKernel) return {};
  for (const Withheld& withheld : kWithheldFromKernels) {
    // Mangled names continue with the parameter types.
    const bool is_mangled = withheld.name.starts_with("_Z");
    if (is_mangled ? name.starts_with(withheld.name) : plain == withheld.name) {
      return refusal(withheld);
    }
  }
  return {};
}

std::string refusal_of_symbol(const ObjectSymbol& symbol, LibraryNames& names,
                              const std::vector<fs::path>& libraries, ObjectOf what) {
  const std::string shown = sanitize_line(symbol.name, 100);
  if (symbol.is_ifunc) return "it has a function that is chosen at load time (" + shown + ")";
  // A class that derives from the device brings its typeinfo along, whoever defines it.
  if (is_private_to_harness(symbol.name) && !symbol.name.starts_with("_ZZ")) {
    return "it uses " + shown + ", which belongs to the harness";
  }
  if (!symbol.is_defined) return refusal_of_use(symbol.name, what);
  if (is_operator_for_all(symbol.name)) {
    return "it defines " + shown + ", the operator new or delete of everybody";
  }
  if (symbol.name.find('@') != std::string::npos) return "it defines a version of " + shown;
  const bool is_mangled = symbol.name.starts_with("_Z");
  if (symbol.is_code && !is_mangled && is_of_runtime(symbol.name)) {
    return "it defines " + shown + ", which belongs to a runtime";
  }
  // Shared libraries export some of these too: libstdc++, and others those of std::make_shared.
  const bool is_inline = is_mangled && !symbol.is_strong;
  const std::string owner = names.owner_of(symbol.name, libraries, !is_inline);
  // Data with a library function's name does no harm: `y1` is in the C library.
  const bool is_data_of_own = !symbol.is_code && !symbol.name.starts_with("_") &&
                              symbol.name != "environ" && !symbol.name.starts_with("std") &&
                              !symbol.name.starts_with("program_invocation");
  if (owner.empty() || is_data_of_own) return {};
  return "it defines " + shown + ", which belongs to " + owner +
         "; give it another name, or make it static";
}

}  // namespace

std::string LibraryNames::owner_of(const std::string& name, const std::vector<fs::path>& libraries,
                                   bool and_shared) {
  const std::lock_guard guard(mutex_);
  std::vector<fs::path> all = libraries;
  if (and_shared) {
    all.insert(all.end(), of_every_program().begin(), of_every_program().end());
  } else {
    std::erase_if(all, [](const fs::path& library) { return library.extension() != ".a"; });
  }
  for (const fs::path& library : all) {
    if (names_of(library).contains(name)) return library.filename().string();
  }
  return {};
}

const std::set<std::string>& LibraryNames::names_of(const fs::path& library) {
  const auto found = names_.find(library);
  return found != names_.end() ? found->second
                               : names_.emplace(library, names_defined_by(library)).first->second;
}

const std::vector<fs::path>& LibraryNames::of_every_program() {
#ifdef __linux__
  // The grader is a C++ program, so it has these libraries loaded.
  if (common_.empty()) {
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* list) {
          const std::string name = info->dlpi_name;
          for (const char* part : {"/libc.", "/libm.", "/libstdc++.", "/libc++", "/libgcc_s."}) {
            if (name.find(part) != std::string::npos) {
              static_cast<std::vector<fs::path>*>(list)->emplace_back(name);
            }
          }
          return 0;
        },
        &common_);
  }
#endif
  return common_;
}

std::string refusal_of(std::string_view object, LibraryNames& names,
                       const std::vector<fs::path>& libraries, ObjectOf what) {
  bool is_elf = false;
  const ObjectFile own = parse_object(object, is_elf);
  if (!is_elf) return {};
  for (const std::string& section : own.sections) {
    if (!is_usual_section(section)) {
      return "it has a custom section (" + sanitize_line(section, 100) + ")";
    }
  }
  if (const std::string hook = unusual_hook(own.hooks); !hook.empty()) {
    return "it has code that runs by itself before or after main (" + sanitize_line(hook, 100) +
           ")";
  }
  for (const ObjectSymbol& symbol : own.symbols) {
    std::string refusal = refusal_of_symbol(symbol, names, libraries, what);
    if (!refusal.empty()) return refusal;
  }
  return {};
}

}  // namespace grader
