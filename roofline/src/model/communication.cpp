// SPDX-License-Identifier: MIT
// The communication roofline.
#include "roofline/communication.hpp"

#include <stdexcept>
#include <string>

#include "roofline/checks.hpp"

namespace roofline {
namespace {

void check_ranks(int ranks) {
  if (ranks < 1) {
    throw std::invalid_argument("number of ranks is " + std::to_string(ranks) +
                                "; it must be at least 1");
  }
}

}  // namespace

double collective_bytes(Collective collective, double buffer_bytes, int ranks) {
  require_not_negative(buffer_bytes, "buffer size in bytes");
  check_ranks(ranks);
  if (ranks == 1) return 0;
  const double others = static_cast<double>(ranks - 1) / ranks;
  switch (collective) {
    case Collective::kAllReduce:
      return 2 * others * buffer_bytes;
    case Collective::kReduceScatter:
    case Collective::kAllGather:
    case Collective::kAllToAll:
      return others * buffer_bytes;
    case Collective::kBroadcast:
    case Collective::kSendReceive:
      return buffer_bytes;
  }
  throw std::invalid_argument("not a value of roofline::Collective");
}

double collective_steps(Collective collective, int ranks) {
  check_ranks(ranks);
  if (ranks == 1) return 0;
  if (collective == Collective::kAllReduce) return 2.0 * (ranks - 1);
  if (collective == Collective::kSendReceive) return 1;
  return ranks - 1;
}

double collective_seconds(Collective collective, double buffer_bytes, int ranks, const Link& link) {
  return collective_steps(collective, ranks) *
             require_not_negative(link.latency_seconds, "link latency in seconds") +
         collective_bytes(collective, buffer_bytes, ranks) /
             require_positive(link.bytes_per_second, "link bandwidth in B/s");
}

double communication_ridge(double peak_flops_per_second, const Link& link) {
  return require_positive(peak_flops_per_second, "peak rate in FLOP/s") /
         require_positive(link.bytes_per_second, "link bandwidth in B/s");
}

}  // namespace roofline
