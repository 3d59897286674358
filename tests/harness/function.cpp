// SPDX-License-Identifier: MIT
// C++ functions called through protocol values.
#include "harness/function.hpp"

#include "support/catch.hpp"

using harness::Value;

namespace {

enum class Bound { kMemory, kCompute };

struct Machine {
  double peak = 0;
  double bandwidth = 0;
};

struct Operation {
  double flops = 0;
  double bytes = 0;
  int count = 0;
};

double attainable(double intensity, const Machine& machine) {
  return std::min(machine.peak, intensity * machine.bandwidth);
}

Bound bound(double intensity, double ridge) {
  return intensity < ridge ? Bound::kMemory : Bound::kCompute;
}

double total_flops(const std::vector<Operation>& operations) {
  double sum = 0;
  for (const Operation& operation : operations) sum += operation.flops * operation.count;
  return sum;
}

std::vector<int> doubled(std::vector<int> values) {
  for (int& value : values) value *= 2;
  return values;
}

Machine machine_of(double peak) {
  return {peak, 2};
}

template <auto kFunction>
Value call(const Value::List& arguments) {
  return harness::make_function_entry<kFunction>("f", kFunction).invoke(arguments);
}

}  // namespace

TEST_CASE("structs, vectors and enumerations travel by signature", "[function]") {
  CHECK(call<&attainable>({2.0, Value::list(10.0, 3.0)}).number() == 6.0);
  CHECK(call<&bound>({2.0, 1.0}).integer() == 1);
  const Value operations = Value::list(Value::list(1.5, 0.0, 2), Value::list(1.0, 0.0, 3));
  CHECK(call<&total_flops>({operations}).number() == 6.0);
  CHECK(call<&doubled>({Value::list(1, 2)}) == Value::list(2, 4));
  CHECK(call<&machine_of>({7.0}) == Value::list(7.0, 2.0));
}

TEST_CASE("arguments of another shape are a protocol error", "[function]") {
  CHECK_THROWS_AS(call<&attainable>({2.0, Value::list(10.0)}), harness::ProtocolError);
  CHECK_THROWS_AS(call<&doubled>({Value::list(1.5)}), harness::ProtocolError);
}
