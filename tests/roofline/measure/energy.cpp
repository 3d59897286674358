// SPDX-License-Identifier: MIT
// Power and energy: the meters, what is recorded with a roof, and the sweep.
#include "roofline/energy.hpp"

#include <chrono>
#include <cmath>
#include <thread>

#include "base/files.hpp"
#include "power/energy_sweep.hpp"
#include "power/nvml.hpp"
#include "power/power_recorder.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace roofline;
using namespace roofline::measure;
using Catch::Matchers::Contains;

namespace {

void zone(const std::filesystem::path& folder, const std::string& zone, const std::string& name,
          const std::string& microjoules) {
  std::filesystem::create_directories(folder / zone);
  base::write_file_atomically(folder / zone / "name", name + "\n");
  base::write_file_atomically(folder / zone / "energy_uj", microjoules + "\n");
  base::write_file_atomically(folder / zone / "max_energy_range_uj", "1000000\n");
}

/// A driver whose answers are set by a test.
struct FakeDriver {
  int init_code = 0;
  int energy_code = 0;
  unsigned long long millijoules = 0;
  unsigned long long reasons = 0;
  std::string bus;
  int users = 0;
};
FakeDriver driver;

NvmlFunctions fake_functions() {
  driver = {};
  NvmlFunctions f;
  f.init = [] { return driver.init_code != 0 ? driver.init_code : (++driver.users, 0); };
  f.shutdown = [] { return --driver.users, 0; };
  f.error_string = [](int code) -> const char* { return code == 3 ? "Not Supported" : "Unknown"; };
  f.device_by_bus = [](const char* bus, NvmlFunctions::Device* device) {
    driver.bus = bus;
    *device = &driver;
    return 0;
  };
  f.energy = [](NvmlFunctions::Device device, unsigned long long* millijoules) {
    if (device != &driver) return 2;
    *millijoules = driver.millijoules;
    return driver.energy_code;
  };
  f.clock = [](NvmlFunctions::Device, int which, unsigned* megahertz) {
    *megahertz = which == 1 ? 1755 : 0;
    return 0;
  };
  f.throttle_reasons = [](NvmlFunctions::Device, unsigned long long* reasons) {
    *reasons = driver.reasons;
    return 0;
  };
  return f;
}

/// Draws 80 W, and its counter advances every ten milliseconds.
class SteadyMeter : public PowerMeter {
 public:
  std::string name() const override { return "test"; }
  double update_seconds() const override { return 0.01; }
  PowerReading read() override {
    if (++reads_ > reads_until_failure) throw MeterFailure("gone");
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds_of_reading));
    if (stands_still) return {1, 1.5e9, {}};
    const std::chrono::duration<double> on = std::chrono::steady_clock::now() - start_;
    return {80 * std::floor(on.count() / 0.01) * 0.01, 1.5e9, {"the power cap"}};
  }
  int reads_until_failure = 1 << 30;
  double seconds_of_reading = 0;
  bool stands_still = false;

 private:
  int reads_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Seven loads on a roofline of 60 TFLOP/s and 4 TB/s, with the power that a machine with these
/// costs draws.
std::vector<EnergyPoint> loads_of(const EnergyCosts& costs) {
  std::vector<EnergyPoint> points;
  for (const double intensity : {0.25, 1.0, 4.0, 8.0, 15.0, 30.0, 60.0}) {
    const double bytes = std::min(4e12, 60e12 / intensity);
    const double flops = intensity * bytes;
    points.push_back(
        {flops, bytes,
         costs.joules_per_flop * flops + costs.joules_per_byte * bytes + costs.idle_watts});
  }
  return points;
}

}  // namespace

TEST_CASE("the fit recovers the energy costs that the powers were computed from") {
  const EnergyCosts costs{4e-12, 60e-12, 180};
  const EnergyFit fit = fit_energy(loads_of(costs));
  CHECK(fit.costs.joules_per_flop == Approx(4e-12).epsilon(1e-6));
  CHECK(fit.costs.joules_per_byte == Approx(60e-12).epsilon(1e-6));
  CHECK(fit.costs.idle_watts == Approx(180).epsilon(1e-6));
  CHECK(fit.worst_relative_error < 1e-6);

  // Powers that alternate 2 % above and below change no cost by a tenth.
  std::vector<EnergyPoint> noisy = loads_of(costs);
  for (std::size_t i = 0; i < noisy.size(); ++i) noisy[i].watts *= i % 2 == 0 ? 1.02 : 0.98;
  const EnergyFit rough = fit_energy(noisy);
  CHECK(rough.costs.joules_per_flop == Approx(4e-12).epsilon(0.1));
  CHECK(rough.costs.joules_per_byte == Approx(60e-12).epsilon(0.1));
  CHECK(rough.costs.idle_watts == Approx(180).epsilon(0.1));
  CHECK(rough.worst_relative_error > 0.01);
  CHECK(rough.worst_relative_error < 0.04);
}

TEST_CASE("loads that do not separate the energy costs give none") {
  std::vector<EnergyPoint> points = loads_of({4e-12, 60e-12, 180});
  // The same power whatever is done: only time has a cost.
  std::vector<EnergyPoint> constant = points;
  for (EnergyPoint& point : constant) point.watts = 80;
  CHECK_THROWS_WITH(fit_energy(constant), Contains("do not separate"));
  // Below the ridge alone, bytes and static power cannot be told apart.
  const std::vector<EnergyPoint> below(points.begin(), points.begin() + 4);
  CHECK_THROWS_AS(fit_energy(below), std::invalid_argument);
  CHECK_THROWS_AS(fit_energy({points.begin(), points.begin() + 3}), std::invalid_argument);
  points[2].watts = std::nan("");
  CHECK_THROWS_AS(fit_energy(points), std::invalid_argument);
  points[2].watts = 0;
  CHECK_THROWS_AS(fit_energy(points), std::invalid_argument);
}

TEST_CASE("RAPL: packages and their memory are added up, once each, also when a counter wraps") {
  const auto folder = support::scratch_folder() / "powercap";
  std::filesystem::remove_all(folder);
  zone(folder, "intel-rapl:0", "package-0", "900000");
  zone(folder, "intel-rapl:0:0", "core", "500000");
  zone(folder, "intel-rapl:0:1", "dram", "100000");
  zone(folder, "intel-rapl:1", "package-1", "10");
  zone(folder, "intel-rapl:2", "psys", "77");
  FoundMeter found = rapl_meter(folder);
  REQUIRE(found.meter);
  CHECK(found.meter->name() == "RAPL, 2 packages and DRAM");
  const double before = found.meter->read().joules;
  zone(folder, "intel-rapl:0", "package-0", "200000");  // 100000 to the end, then 200000
  zone(folder, "intel-rapl:0:0", "core", "999999");     // within the package
  zone(folder, "intel-rapl:0:1", "dram", "150000");     // 50000
  zone(folder, "intel-rapl:1", "package-1", "20");      // 10
  zone(folder, "intel-rapl:2", "psys", "500000");       // includes all of them
  CHECK(found.meter->read().joules - before == Approx(0.35001));
  std::filesystem::remove(folder / "intel-rapl:1" / "energy_uj");
  CHECK_THROWS_AS(found.meter->read(), MeterFailure);
  CHECK_THAT(rapl_meter(folder).missing, Contains("may not read"));
  CHECK_THAT(rapl_meter(folder / "none").missing, Contains("no RAPL counters"));
}

TEST_CASE("NVML: energy, clock, and what holds the clock back") {
  {
    const NvmlFunctions functions = fake_functions();
    FoundMeter found = nvml_meter(functions, "0000:3B:00.0");
    REQUIRE(found.meter);
    CHECK(driver.bus == "0000:3B:00.0");
    CHECK(driver.users == 1);
    driver.millijoules = 1500;
    driver.reasons = 0x1 | 0x4 | 0x20;  // idle, the power cap, temperature
    const PowerReading reading = found.meter->read();
    CHECK(reading.joules == Approx(1.5));
    CHECK(reading.clock_hz == 1.755e9);
    CHECK(reading.held_back_by == std::vector<std::string>{"the power cap", "temperature"});
    driver.energy_code = 3;
    CHECK_THROWS_WITH(found.meter->read(), Contains("Not Supported"));
  }
  CHECK(driver.users == 0);
  const NvmlFunctions functions = fake_functions();
  driver.energy_code = 3;
  const FoundMeter old = nvml_meter(functions, "0000:3B:00.0");
  CHECK_FALSE(old.meter);
  CHECK_THAT(old.missing, Contains("Not Supported"));
  CHECK(driver.users == 0);
  fake_functions();
  driver.init_code = 9;
  CHECK_FALSE(nvml_meter(functions, "").meter);
}

TEST_CASE("a roof's power is the counter's, and its energy that of the work between two steps") {
  SteadyMeter meter;
  PowerRecorder recorder(meter);
  CHECK_FALSE(recorder.take());
  // A device that does 500 units per second of its own time.
  Progressed done;
  const auto advance = [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    done.amount += 1000;
    done.seconds += 2;
    return done;
  };
  recorder.record(advance);
  const std::optional<RoofPower> power = recorder.take();
  REQUIRE(power);
  // The counter advances in steps of 0.8 J; sleeping is not exact, least of all on a busy machine.
  CHECK(power->watts == Approx(80).epsilon(0.15));
  CHECK(power->watts / power->joules_per_unit == Approx(500));
  CHECK(power->clock_hz == 1.5e9);
  CHECK(power->held_back_by == "the power cap");
  CHECK_FALSE(recorder.take());
  CHECK(idle_watts(meter) == Approx(80).epsilon(0.15));

  meter.reads_until_failure = 0;
  recorder.record(advance);
  CHECK_FALSE(recorder.take());
  CHECK(recorder.failure() == "gone");
}

TEST_CASE("a meter that answers slowly takes nothing from the work that is metered") {
  SteadyMeter meter;
  meter.seconds_of_reading = 0.005;
  PowerRecorder recorder(meter);
  Sampling sampling;
  sampling.recorder = &recorder;
  const Spread rate = sample_rate(
      1, [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }, sampling);
  MeasuredRoof roof;
  roof.rate = rate;
  roof.power = recorder.take();
  REQUIRE(roof.power);
  // Five milliseconds of queries after each millisecond of work would leave a sixth of the rate.
  CHECK(metered_share(roof) > 0.5);
}

TEST_CASE("the rate of work that never pauses is that of the work, and can be interrupted") {
  int launches = 0;
  const Launch launch = [&] {
    ++launches;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  std::atomic<bool> stop{false};
  Sampling sampling;
  sampling.stop = &stop;
  const double rate = rate_without_pause(7, launch, 0.05, sampling);
  CHECK(rate > 0);
  CHECK(rate <= 7 / 1e-3);  // nothing sleeps for less than it asked for
  CHECK(launches > 2 * 10);
  stop = true;
  CHECK_THROWS_AS(rate_without_pause(7, launch, 0.05, sampling), Interrupted);
}

TEST_CASE("work that never pauses goes on while its power is metered") {
  SteadyMeter meter;
  PowerRecorder recorder(meter);
  int launches = 0;
  const Launch launch = [&] {
    ++launches;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  rate_without_pause(1, launch, 0.02, {});
  const int without = launches;
  Sampling sampling;
  sampling.recorder = &recorder;
  launches = 0;
  rate_without_pause(1, launch, 0.02, sampling);
  CHECK(launches > without);
  const std::optional<RoofPower> power = recorder.take();
  REQUIRE(power);
  CHECK(power->watts > 0);
  CHECK(power->watts / power->joules_per_unit <= 1 / 1e-3);  // nothing sleeps for less
}

TEST_CASE("candidates are ordered by their rates, not by their seconds") {
  const auto sleeps = [](int milliseconds) {
    return [milliseconds] { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };
  };
  const std::vector<Candidate> candidates = {{"little in little time", 1, sleeps(2)},
                                             {"much", 1000, sleeps(6)},
                                             {"nothing", 0, sleeps(1)}};
  CHECK(fastest_first(candidates, {}) == std::vector<std::size_t>{1, 0, 2});
  CHECK(fastest(candidates, {}) == 1);
}

TEST_CASE("an interruption ends the metering, and a counter that stands still is a failure") {
  SteadyMeter meter;
  PowerRecorder recorder(meter);
  CHECK_THROWS_AS(recorder.record([]() -> Progressed { throw Interrupted{}; }), Interrupted);
  CHECK_FALSE(recorder.take());
  meter.stands_still = true;
  Progressed done;
  recorder.record([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return done = {done.amount + 1, done.seconds + 1};
  });
  CHECK_FALSE(recorder.take());
  CHECK_THAT(recorder.failure(), Contains("does not move"));
}

TEST_CASE("the sweep computes what it is timed for") {
  EnergySweep sweep(1 << 20, 2);
  std::vector<SweepLoad> loads = sweep.loads();
  REQUIRE(loads.size() > 4);
  for (const SweepLoad& load : loads) {
    CAPTURE(load.steps);
    CHECK(sweep.sums_are_right(load));
    // 4 bytes per element, a multiply-add of 2 FLOP per step, and the addition to the sum.
    CHECK(load.flops / load.amount == Approx((2 * load.steps + 1) / 4.0));
  }
}
