// SPDX-License-Identifier: MIT
// harness::Device over the gpu/ library: memory, time and names of the chosen backend.
#include "gpu/device.hpp"

#include <unistd.h>

#include <map>
#include <string>

#include "cpu/check/include/gpu/counts.hpp"
#include "cpu/check/include/gpu/profile.hpp"
#include "gpu/buffer.hpp"
#include "gpu/copy.hpp"
#include "gpu/event.hpp"
#include "gpu/features.hpp"
#include "gpu/stream.hpp"
#include "harness/device.hpp"
#include "harness/lab.hpp"

namespace gpu {

/// Only programs with checked kernels define these. They are called here, not from the entry that a
/// student registers, so that the entry cannot provide its own counts.
[[gnu::weak]] Counts count(const std::function<void()>& launches, TrafficByName* by_name);
[[gnu::weak]] vgpu::Profile profile(const vgpu::Geometry& geometry, int registers_per_thread,
                                    const std::function<void()>& launches, double most_accesses);
[[gnu::weak]] void imitate(const vgpu::Geometry& geometry);

}  // namespace gpu

namespace harness {
namespace {

/// Used in errors: what the harness does for a student's function has no line that the student
/// knows.
constexpr gpu::SourceLocation kNowhere{};

/// The counts under the names that exercises.toml uses in `counters`.
CountedWork named_counts(const gpu::Counts& counts) {
  const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
  return {{"flops", number(counts.flops())},
          {"divisions", number(counts.divisions)},
          {"special_functions", number(counts.special_functions)},
          {"conversions", number(counts.conversions)},
          {"matrix_products", number(counts.matrix_products)},
          {"executed_flops", number(counts.executed_flops)},
          {"loads", number(counts.loads)},
          {"stores", number(counts.stores)},
          {"bytes_loaded", number(counts.bytes_loaded)},
          {"bytes_stored", number(counts.bytes_stored)},
          {"compulsory_bytes", number(counts.compulsory_bytes())},
          {"sectors_loaded", number(counts.sectors_loaded)},
          {"sectors_stored", number(counts.sectors_stored)},
          {"shared_loads", number(counts.shared_loads)},
          {"shared_stores", number(counts.shared_stores)},
          {"launches", number(counts.launches)},
          {"launches_recorded", number(counts.launches_recorded)},
          {"launches_replayed", number(counts.launches_replayed)},
          {"argument_bytes", number(counts.argument_bytes)},
          {"bytes_stored_in_variables", number(counts.bytes_stored_in_variables)},
          {"bytes_to_host", number(counts.bytes_to_host)},
          {"bytes_to_device", number(counts.bytes_to_device)}};
}

class GpuMemory : public DeviceMemory {
 public:
  GpuMemory(std::size_t bytes, gpu::SourceLocation what) : buffer_(bytes, what) {}
  std::byte* data() override { return buffer_.span().data(); }
  void upload(std::span<const std::byte> host) override {
    if (!host.empty()) gpu::copy_to_device(buffer_.span(), host, kNowhere);
  }
  void download(std::span<std::byte> host) override {
    if (!host.empty()) read(0, host);
  }

  void copy_from(DeviceMemory& other) override {
    auto& from = static_cast<GpuMemory&>(other);
    if (buffer_.size() > 0) gpu::copy_on_device(buffer_, from.buffer_, {}, kNowhere);
  }
  void read(std::size_t offset, std::span<std::byte> host) override {
    const gpu::DeviceSpan<const std::byte> all = buffer_.span();
    gpu::copy_to_host(host, all.subspan(offset, host.size()), kNowhere);
  }

 private:
  gpu::DeviceBuffer<std::byte> buffer_;
};

class GpuDevice : public Device {
 public:
  std::unique_ptr<DeviceMemory> allocate(std::size_t bytes, std::size_t argument) override {
    // Names the buffer in errors of checked kernels. The strings must live until the program ends.
    static std::map<std::size_t, std::string> names;
    const auto [name, is_new] = names.try_emplace(
        argument, "argument " + std::to_string(argument + 1) + " of your function");
    return std::make_unique<GpuMemory>(bytes, gpu::SourceLocation{name->second.c_str(), 0});
  }
  void synchronize() override { gpu::synchronize(kNowhere); }
  double seconds(void (*work)(void*), void* context) override {
    gpu::Timer timer({}, kNowhere);
    work(context);
    return timer.seconds();
  }
  CountedWork counted(void (*work)(void*), void* context) override {
    if (&gpu::count == nullptr) return {};
    gpu::TrafficByName by_name;
    CountedWork counts = named_counts(gpu::count([=] { work(context); }, &by_name));
    for (const auto& [name, traffic] : by_name) {
      counts.emplace_back("bytes_loaded of " + name, static_cast<double>(traffic.bytes_loaded));
      counts.emplace_back("bytes_stored of " + name, static_cast<double>(traffic.bytes_stored));
    }
    return counts;
  }
  std::string profiled(const std::string& geometry, int registers_per_thread, void (*work)(void*),
                       void* context) override {
    if (&gpu::profile == nullptr) return {};
    return vgpu::to_json(gpu::profile(vgpu::geometry_from_json(geometry), registers_per_thread,
                                      [=] { work(context); }));
  }
  void imitate(const std::string& geometry) override {
    if (&gpu::imitate != nullptr) gpu::imitate(vgpu::geometry_from_json(geometry));
  }
  std::string backend() override { return std::string(gpu::backend_name()); }
  std::string name() override { return gpu::current_device().name; }
  int count() override { return gpu::device_count(); }
  double free_bytes() override { return static_cast<double>(gpu::current_device().memory_bytes); }
  double last_level_cache_bytes() override {
    return gpu::device_count() == 0 ? 0 : gpu::last_level_cache_bytes(gpu::current_device());
  }
};

}  // namespace

Device& lab_device() {
  static GpuDevice device;
  return device;
}

}  // namespace harness
