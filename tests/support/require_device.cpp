// SPDX-License-Identifier: MIT
// Linked to every test that needs a GPU: reports and stops if the build is for one and none is
// there, so that a machine without a GPU reports "skipped" and never "passed".
#define CATCH_CONFIG_EXTERNAL_INTERFACES  // Catch2 2: listeners
#include <cstdio>
#include <cstdlib>

#include "gpu/device.hpp"
#include "support/catch.hpp"

namespace {

#if CATCH_VERSION_MAJOR >= 3
using ListenerBase = Catch::EventListenerBase;
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

class RequireDevice : public ListenerBase {
 public:
  using ListenerBase::ListenerBase;
  void testRunStarting(const Catch::TestRunInfo& info) override {
    ListenerBase::testRunStarting(info);
    if (gpu::device_count() > 0) return;
    std::printf("SKIPPED-BY-HARNESS: no %s device: %s\n", gpu::backend_name().data(),
                gpu::no_device_reason().c_str());
    std::exit(EXIT_SUCCESS);
  }
};

CATCH_REGISTER_LISTENER(RequireDevice)

}  // namespace
