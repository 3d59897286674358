// SPDX-License-Identifier: MIT
// Arguments for bubblewrap: what exists inside the sandbox.
#include "grader/program/sandbox.hpp"

#include <unistd.h>

#include <array>
#include <vector>

#include "grader/program/course_headers.hpp"
#include "grader/program/system_calls.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBubblewrap = "/usr/bin/bwrap";
// /tmp and /dev/shm are writable and in memory; / and /dev are in memory too, but read-only.
constexpr const char* kTemporaryBytes = "268435456";
constexpr const char* kSharedBytes = "67108864";

/// Of the system, besides /usr: Debian merges the first ones into it.
constexpr std::array kRootFolders = {"/bin", "/sbin", "/lib", "/lib32", "/lib64"};
constexpr std::array kOtherPaths = {"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf",
                                    "/etc/ld.so.conf.d", "/opt/rocm"};

/// Collects bubblewrap's arguments.
class Arguments {
 public:
  Arguments() {
    add({kBubblewrap, "--unshare-all", "--die-with-parent", "--new-session", "--clearenv"});
    add({"--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "LC_ALL", "C"});
    add({"--setenv", "OMP_WAIT_POLICY", "passive", "--setenv", "HOME", "/tmp"});
    add({"--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev"});
    add({"--size", kTemporaryBytes, "--tmpfs", "/tmp", "--size", kSharedBytes, "--tmpfs",
         "/dev/shm"});
    for (const char* folder : kRootFolders) system_folder(folder);
    for (const char* path : kOtherPaths) add({"--ro-bind-try", path, path});
  }
  void add(std::initializer_list<std::string> more) {
    list_.insert(list_.end(), more.begin(), more.end());
  }
  /// Folders of the system, mounted after /tmp has been replaced by a private one.
  void read_only(const std::vector<fs::path>& folders) {
    for (const fs::path& folder : folders) {
      add({"--ro-bind-try", folder.string(), folder.string()});
    }
  }
  void devices() {
    has_devices_ = true;
    for (const char* path : {"/dev/kfd", "/dev/dri", "/dev/nvidiactl", "/dev/nvidia-uvm",
                             "/dev/nvidia-uvm-tools", "/dev/nvidia-modeset"}) {
      add({"--dev-bind-try", path, path});
    }
    for (int i = 0; i < 16; ++i) {
      const std::string path = "/dev/nvidia" + std::to_string(i);
      add({"--dev-bind-try", path, path});
    }
    add({"--ro-bind-try", "/sys", "/sys"});
  }
  /// Makes the sandbox apply the system-call filter, if there is one.
  bool filter_calls() {
    if (call_filter().empty()) return false;
    add({"--seccomp", std::to_string(kFilterDescriptor)});
    return true;
  }
  /// The arguments, followed by the command to run inside.
  std::vector<std::string> running(const std::vector<std::string>& command) {
    add({"--remount-ro", "/", "--remount-ro", "/dev"});
    // With a writable /proc, a program could change its own code through /proc/self/mem. CUDA's
    // driver does not start without one ("OS call failed", driver 580).
    if (!has_devices_) add({"--remount-ro", "/proc"});
    add({"--"});
    list_.insert(list_.end(), command.begin(), command.end());
    return std::move(list_);
  }

 private:
  /// Debian has links to /usr; other systems have folders of their own.
  void system_folder(const std::string& folder) {
    std::error_code error;
    if (fs::is_symlink(folder, error)) {
      add({"--symlink", fs::read_symlink(folder).string(), folder});
    } else {
      add({"--ro-bind-try", folder, folder});
    }
  }

  std::vector<std::string> list_;
  bool has_devices_ = false;
};

}  // namespace

bool sandbox_available() {
  if (::access(kBubblewrap, X_OK) != 0) return false;
  Arguments arguments;
  const bool is_filtered = arguments.filter_calls();
  try {
    Child child({arguments.running({"/bin/true"}), {}, {}, is_filtered}, Limits{});
    return child.wait() == 0;
  } catch (const ChildFailure&) {
    return false;
  }
}

Command sandboxed_program(const fs::path& programs, const fs::path& program,
                          const MachineParts& parts) {
  if (!fs::exists(program)) {
    throw ChildFailure(Failure::kMissing, "the program " + program.filename().string() +
                                              " does not exist (not submitted, or not built)");
  }
  Arguments arguments;
  arguments.read_only(parts.outside);
  if (parts.gpu) arguments.devices();
  const bool is_filtered = arguments.filter_calls();
  arguments.add({"--ro-bind", programs.string(), "/lab", "--chdir", "/tmp"});
  return {arguments.running({"/lab/" + program.lexically_relative(programs).string(), "--serve"}),
          {},
          {},
          is_filtered};
}

Command sandboxed_compile(const CompileFolders& folders, const std::vector<std::string>& command) {
  Arguments arguments;
  const std::string place = CompileFolders::kPlace;
  arguments.add({"--setenv", "CCACHE_DISABLE", "1"});
  arguments.read_only(folders.outside);
  arguments.add({"--ro-bind", folders.sdk.string(), folders.sdk.string()});
  arguments.add({"--ro-bind", (folders.work / "topics").string(), place + "/topics"});
  arguments.add({"--bind", (folders.work / "build").string(), place + "/build"});
  if (!folders.headers.empty()) {
    arguments.add({"--ro-bind", folders.headers.string(), CourseHeaders::kPlace});
  }
  arguments.add({"--chdir", place + "/build"});
  return {arguments.running(command), {}, {}};
}

std::vector<fs::path> folders_for_compiler(const CompileFolders& folders) {
  std::vector<fs::path> all = {"/usr", folders.sdk, folders.work};
  all.insert(all.end(), kRootFolders.begin(), kRootFolders.end());
  all.insert(all.end(), kOtherPaths.begin(), kOtherPaths.end());
  all.insert(all.end(), folders.outside.begin(), folders.outside.end());
  return all;
}

}  // namespace grader
