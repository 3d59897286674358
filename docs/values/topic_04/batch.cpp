// SPDX-License-Identifier: MIT
// The cost of a batch in gemv_batch: the bend of its bound, and the times of an H200.
#include <stdexcept>
#include <string>

#include "base/csv.hpp"
#include "roofline/measurement.hpp"
#include "value.hpp"

namespace {

using docs::fixed;
using docs::Sources;

using namespace base::prefixes;
// The lab's matrix on a GPU, in FP16.
constexpr double kMatrixBytes = 2.0 * 28672 * 4096;

double roof(const Sources& sources, const std::string& name) {
  return docs::roof_named(roofline::read_report(sources.measured("h200_roofs_full.json")), name)
      .rate.median;
}

std::string batch_us(const Sources& sources, const std::string& batch) {
  const base::CsvFile csv(sources.measured("h200_gemv_batch.csv"));
  for (std::size_t i = 0; i < csv.size(); ++i) {
    if (csv.field(i, "batch") == batch) {
      return fixed(std::stod(csv.field(i, "seconds_median")) / kMicro, 0);
    }
  }
  throw std::runtime_error("h200_gemv_batch.csv has no batch of " + batch);
}

DOC_FORMULA("gemv_batch.bend", fixed(roof(s, "fp32.vector") / roof(s, "read"), 0))
DOC_FORMULA("gemv_batch.bound_us", fixed(kMatrixBytes / roof(s, "read") / kMicro, 0))
DOC_FORMULA("gemv_batch.us_1", batch_us(s, "1"))
DOC_FORMULA("gemv_batch.us_16", batch_us(s, "16"))
DOC_FORMULA("gemv_batch.us_32", batch_us(s, "32"))

}  // namespace
