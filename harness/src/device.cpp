// SPDX-License-Identifier: MIT
// harness::Device over the gpu/ library: memory, time and names of the chosen backend.
#include "gpu/device.hpp"

#include <unistd.h>

#include "gpu/buffer.hpp"
#include "gpu/copy.hpp"
#include "gpu/event.hpp"
#include "gpu/features.hpp"
#include "gpu/stream.hpp"
#include "harness/lab.hpp"

namespace harness {
namespace {

class GpuMemory : public DeviceMemory {
 public:
  explicit GpuMemory(std::size_t bytes) : buffer_(bytes) {}
  std::byte* data() override { return buffer_.span().data(); }
  void upload(std::span<const std::byte> host) override {
    if (!host.empty()) gpu::copy_to_device(buffer_.span(), host);
  }
  void download(std::span<std::byte> host) override {
    if (!host.empty()) gpu::copy_to_host(host, gpu::DeviceSpan<const std::byte>(buffer_.span()));
  }

  void read(std::size_t offset, std::span<std::byte> host) override {
    gpu::copy_to_host(
        host, gpu::DeviceSpan<const std::byte>(buffer_.span()).subspan(offset, host.size()));
  }

 private:
  gpu::DeviceBuffer<std::byte> buffer_;
};

class GpuDevice : public Device {
 public:
  std::unique_ptr<DeviceMemory> allocate(std::size_t bytes) override {
    return std::make_unique<GpuMemory>(bytes);
  }
  void synchronize() override { gpu::synchronize(); }
  double seconds(void (*work)(void*), void* context) override {
    gpu::Timer timer;
    work(context);
    return timer.seconds();
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
