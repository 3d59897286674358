// SPDX-License-Identifier: MIT
// Buffers, copies, streams, events, graphs, devices and errors. compute-sanitizer reports calls
// that the driver refuses, so exclude those tests there: test-gpu-host_side "~[refused]".
#include <string>
#include <utility>
#include <vector>

#include "gpu/gpu.hpp"
#include "support/catch.hpp"

__global__ void add_one(int n, int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}

__global__ void twice(int n, int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

TEST_CASE("zero-size launches, buffers and copies are fine") {
  gpu::DeviceBuffer<int> empty(0);
  REQUIRE(empty.empty());
  gpu::copy_to_device(empty, std::vector<int>{});
  gpu::fill_bytes(empty, 1);
  gpu::launch<add_one>(0, 256, 0, empty.data());
  gpu::synchronize();
  REQUIRE(gpu::to_host(empty).empty());
}

TEST_CASE("buffers move and copies go everywhere") {
  auto a = gpu::to_device(std::vector<int>{1, 2, 3, 4});
  const int* memory = a.data();
  gpu::DeviceBuffer<int> b = std::move(a);
  REQUIRE(b.data() == memory);
  REQUIRE(a.size() == 0);  // NOLINT(bugprone-use-after-move): a moved-from buffer is empty
  gpu::DeviceBuffer<int> c(2);
  gpu::copy_on_device(c, b.span().subspan(1, 2));
  REQUIRE(gpu::to_host(c) == std::vector<int>{2, 3});
  gpu::fill_bytes(c, 0xff);
  REQUIRE(gpu::to_host(c) == std::vector<int>{-1, -1});
  const gpu::DeviceSpan<const int> view = b.span();
  REQUIRE(gpu::to_host(view.subspan(3)) == std::vector<int>{4});
}

TEST_CASE("copies of unequal size are refused with both sizes") {
  gpu::DeviceBuffer<int> three(3);
  try {
    gpu::copy_to_device(three, std::vector<int>(5));
    FAIL("no error");
  } catch (const gpu::Error& error) {
    const std::string text = error.what();
    REQUIRE(text.find("3 elements") != std::string::npos);
    REQUIRE(text.find("source 5") != std::string::npos);
    REQUIRE(std::string(error.file()).find("host_side") != std::string::npos);
    REQUIRE(error.line() > 0);
  }
}

TEST_CASE("an impossible allocation is refused with the driver's message", "[refused]") {
  REQUIRE_THROWS_AS(gpu::DeviceBuffer<char>(std::size_t{1} << 60), gpu::Error);
  REQUIRE_THROWS_AS(gpu::DeviceBuffer<double>(~std::size_t{0}), gpu::Error);
}

TEST_CASE("a launch that no GPU can make names the kernel", "[refused]") {
  gpu::DeviceBuffer<int> one(1);
  try {
    gpu::launch<add_one>(1, 2048, 1, one.data());
    FAIL("no error");
  } catch (const gpu::Error& error) {
    REQUIRE(error.kernel() == "add_one");
    REQUIRE(!error.driver_message().empty());
    REQUIRE(std::string(error.file()).find("host_side") != std::string::npos);
  }
  gpu::launch<add_one>(1, 1, 1, one.data());  // the device still works
  gpu::synchronize();
}

TEST_CASE("streams keep their order and wait for events") {
  const int n = 5000;
  auto values = gpu::to_device(std::vector<int>(n, 3));
  const gpu::Stream first, second;
  gpu::Event added;
  gpu::launch<add_one>({.grid = gpu::blocks_for(n, 256), .block = 256, .stream = first}, n,
                       values.data());
  added.record(first);
  second.wait(added);
  gpu::launch<twice>({.grid = gpu::blocks_for(n, 256), .block = 256, .stream = second}, n,
                     values.data());
  std::vector<int> host(n);
  gpu::copy_to_host(host, values, second);
  second.synchronize();
  REQUIRE(host == std::vector<int>(n, 8));
}

TEST_CASE("a timer returns seconds, more for more work") {
  const int n = 1 << 20;
  auto values = gpu::to_device(std::vector<int>(n, 0));
  const auto seconds_of = [&](int launches) {
    gpu::Timer timer;
    for (int i = 0; i < launches; ++i)
      gpu::launch<add_one>(gpu::blocks_for(n, 256), 256, n, values.data());
    return timer.seconds();
  };
  seconds_of(1);
  const double few = seconds_of(2), many = seconds_of(200);
  REQUIRE(few > 0);
  REQUIRE(many > few);
  REQUIRE(many < 60);
}

TEST_CASE("a graph replays launches, copies and fills in order") {
  const int n = 1000;
  auto values = gpu::to_device(std::vector<int>(n, 1));
  gpu::DeviceBuffer<int> copy(n), zero(n);
  //! [record]
  const gpu::Graph graph([&](const gpu::Stream& stream) {
    gpu::launch<add_one>({.grid = 4, .block = 256, .stream = stream}, n, values.data());
    gpu::launch<twice>({.grid = 4, .block = 256, .stream = stream}, n, values.data());
    gpu::copy_on_device(copy, values, stream);
    gpu::fill_bytes(zero, 0, stream);
  });
  //! [record]
  gpu::synchronize();
  REQUIRE(gpu::to_host(values) == std::vector<int>(n, 1));  // recorded, not run
  //! [replay]
  const gpu::Stream stream;
  graph.launch(stream);
  graph.launch(stream);
  stream.synchronize();
  //! [replay]
  REQUIRE(gpu::to_host(values) == std::vector<int>(n, 10));
  REQUIRE(gpu::to_host(copy) == std::vector<int>(n, 10));
  REQUIRE(gpu::to_host(zero) == std::vector<int>(n, 0));
}

TEST_CASE("what names no stream goes to the current one, and into its graph") {
  constexpr int n = 1000;
  gpu::DeviceBuffer<int> values(n);
  gpu::fill_bytes(values, 0);
  const auto step = [&] { gpu::launch<add_one>(4, 256, n, values.data()); };
  const gpu::Graph graph([&](const gpu::Stream& stream) {
    const gpu::CurrentStream recording(stream);
    step();
    step();
  });
  gpu::synchronize();
  REQUIRE(gpu::to_host(values) == std::vector<int>(n, 0));  // recorded, not run
  graph.launch();
  gpu::synchronize();
  step();  // recording is over: this runs
  REQUIRE(gpu::to_host(values) == std::vector<int>(n, 3));
}

TEST_CASE("the device reports its properties") {
  const auto list = gpu::devices();
  REQUIRE(static_cast<int>(list.size()) == gpu::device_count());
  const auto device = gpu::current_device();
  REQUIRE(!device.name.empty());
  REQUIRE(!device.architecture.empty());
  REQUIRE(device.multiprocessors >= 1);
  REQUIRE((device.warp_width == 32 || device.warp_width == 64));
  REQUIRE(device.max_threads_per_block == 1024);
  REQUIRE(device.memory_bytes > (std::size_t{1} << 28));
  REQUIRE(device.shared_bytes_per_block >= 48 * 1024);
  REQUIRE(device.shared_bytes_per_block_optin >= device.shared_bytes_per_block);
  gpu::use_device(0);
  REQUIRE((gpu::backend_name() == "cpu" || gpu::backend_name() == "cuda" ||
           gpu::backend_name() == "hip"));
}

TEST_CASE("a device that does not exist is refused", "[refused]") {
  REQUIRE_THROWS_AS(gpu::use_device(1000), gpu::Error);
}

namespace {

template <class T>
__global__ void fill_hidden(int n, T value, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}

}  // namespace

TEST_CASE("kernels may be templates and may hide in a namespace") {
  gpu::DeviceBuffer<double> out(70);
  gpu::launch<fill_hidden<double>>(3, 32, 70, 1.5, out.data());
  REQUIRE(gpu::to_host(out) == std::vector<double>(70, 1.5));
}
