// SPDX-License-Identifier: MIT
// Error codes, and the list of kernels that may have caused one.
#include "check.hpp"

#include <algorithm>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/detail/gpu_launch.hpp"

namespace gpu::detail {
namespace {

// A fault surfaces in a later call, so we keep the names of the launches in between.
struct PendingLaunches {
  std::mutex mutex;
  std::vector<std::string_view> names;
};

PendingLaunches& pending() {
  static PendingLaunches instance;
  return instance;
}

std::string suspects() {
  auto& launches = pending();
  const std::lock_guard lock(launches.mutex);
  std::string text;
  for (const auto name : launches.names) text.append(text.empty() ? "" : " or ").append(name);
  return text;
}

}  // namespace

void note_launch(std::string_view kernel) {
  auto& launches = pending();
  const std::lock_guard lock(launches.mutex);
  if (std::ranges::find(launches.names, kernel) == launches.names.end()) {
    launches.names.push_back(kernel);
  }
}

void forget_launches() noexcept {
  auto& launches = pending();
  const std::lock_guard lock(launches.mutex);
  launches.names.clear();
}

void check(api::ErrorCode code, const char* expression, SourceLocation where) {
  if (code == GPU_API(Success)) return;
  (void)GPU_API(GetLastError)();  // so that an unrelated call does not report it again
  throw Error({.expression = expression,
               .where = where,
               .driver_message =
                   std::string(GPU_API(GetErrorName)(code)) + ": " + GPU_API(GetErrorString)(code),
               .kernel = suspects()});
}

void check_launch(std::string_view kernel, SourceLocation where) {
  const auto code = GPU_API(GetLastError)();
  if (code == GPU_API(Success)) return;
  throw Error({.expression = "launch<" + std::string(kernel) + ">",
               .where = where,
               .driver_message =
                   std::string(GPU_API(GetErrorName)(code)) + ": " + GPU_API(GetErrorString)(code),
               .kernel = std::string(kernel)});
}

void allow_shared_bytes(const void* kernel, std::size_t bytes, SourceLocation where) {
  GPU_CHECK(where,
            GPU_API(FuncSetAttribute)(kernel, api::kMaxDynamicShared, static_cast<int>(bytes)));
}

}  // namespace gpu::detail
