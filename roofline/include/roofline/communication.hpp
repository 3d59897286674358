// SPDX-License-Identifier: MIT
// The communication roofline: the time of collectives from latency and bandwidth (alpha-beta), and
// when the network rather than the arithmetic is the limit.
//
// Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
// MPICH", IJHPCA 19(1), 2005.
#pragma once

namespace roofline {

/// One link direction of every participant.
struct Link {
  double latency_seconds = 0;  ///< alpha, per message
  double bytes_per_second = 0;
};

enum class Collective {
  kAllReduce,
  kReduceScatter,
  kAllGather,
  kAllToAll,
  kBroadcast,
  kSendReceive
};

/// Bytes that each of `ranks` participants sends in a collective whose full buffer has
/// `buffer_bytes`: ring all-reduce 2 (N-1)/N of it, reduce-scatter, all-gather and all-to-all
/// (N-1)/N, broadcast and point-to-point all of it. The full buffer is the input of an all-reduce,
/// a reduce-scatter or an all-to-all, and the output of an all-gather. Zero for one rank.
double collective_bytes(Collective collective, double buffer_bytes, int ranks);

/// Consecutive messages: 2 (N-1) for a ring all-reduce, N-1 for the other collectives.
double collective_steps(Collective collective, int ranks);

/// steps * alpha + bytes / bandwidth, in seconds.
double collective_seconds(Collective collective, double buffer_bytes, int ranks, const Link& link);

/// FLOPs that an operation must do per byte sent to hide the link: peak / link bandwidth.
double communication_ridge(double peak_flops_per_second, const Link& link);

}  // namespace roofline
