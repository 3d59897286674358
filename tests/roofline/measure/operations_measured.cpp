// SPDX-License-Identifier: MIT
// Rates of operations that are not FLOPs: names, results, and what the checks compare with.
#include <cmath>
#include <set>
#include <string>

#include "rates/operations.hpp"
#include "rates/vendor_gemm.hpp"
#include "support/catch.hpp"

using namespace roofline;
using namespace roofline::measure;

namespace {

std::set<std::string> names_after_checking(
    const std::vector<std::unique_ptr<OperationRate>>& operations) {
  std::set<std::string> names;
  for (const auto& operation : operations) {
    CAPTURE(operation->name());
    CHECK(names.insert(operation->name()).second);
    CHECK_FALSE(operation->note().empty());
    // A compute roof would become part of the roofline.
    CHECK(operation->kind() != RoofKind::kCompute);
    const std::vector<Candidate> candidates = operation->candidates();
    REQUIRE_FALSE(candidates.empty());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      CAPTURE(candidates[i].description);
      CHECK(candidates[i].amount > 0);
      candidates[i].launch();  // earlier runs must not change the results
      CHECK(operation->wrong_results(i) == 0);
    }
  }
  return names;
}

}  // namespace

TEST_CASE("exponentials, reciprocals and conversions agree with the host") {
  const std::set<std::string> names = names_after_checking(special_operations(2));
  for (const char* name :
       {"fp32.exp2", "fp32.exp", "fp32.reciprocal", "fp32.reciprocal_root", "convert.int32_fp32"}) {
    CHECK(names.count(name) == 1);
  }
}

TEST_CASE("every atomic addition arrives") {
  const std::set<std::string> names = names_after_checking(shared_and_atomic_operations(2));
  for (const char* name : {"atomic.shared", "atomic.spread", "atomic.contended"}) {
    CHECK(names.count(name) == 1);
  }
}

TEST_CASE("one thread's operations are counted by hand") {
  // 3 threads of a CPU, each 2^18 additions: 786432. The checks above confirm that they were made.
  for (const auto& operation : shared_and_atomic_operations(3)) {
    if (operation->name() != "atomic.contended") continue;
    const std::vector<Candidate> candidates = operation->candidates();
    if (candidates.size() == 1) CHECK(candidates[0].amount == 786432);
  }
}

TEST_CASE("the vendor's products are right in all that is tried, and count 2 n^3 operations") {
  for (const VendorRoof& roof : vendor_gemms()) {
    CAPTURE(roof.name);
    const std::unique_ptr<VendorGemm> gemm = roof.make();
    CHECK(gemm->name() == roof.name);
    CHECK_FALSE(gemm->library().empty());
    const std::vector<Candidate> candidates = gemm->candidates();
    REQUIRE_FALSE(candidates.empty());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      CAPTURE(candidates[i].description);
      const double n = std::cbrt(candidates[i].amount / 2);
      CHECK(candidates[i].description.find("n = " + std::to_string(std::lround(n))) == 0);
      CHECK(gemm->wrong_results(i) == 0);
    }
  }
}
