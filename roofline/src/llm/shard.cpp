// SPDX-License-Identifier: MIT
// Tensor parallelism: the part of a model on one rank.
#include <stdexcept>

#include "roofline/llm/operators.hpp"

namespace roofline::llm {
namespace {

std::int64_t divided(std::int64_t size, int ranks, const char* what) {
  if (size % ranks != 0) {
    throw std::invalid_argument(std::string(what) + " (" + std::to_string(size) +
                                ") cannot be divided over " + std::to_string(ranks) + " ranks");
  }
  return size / ranks;
}

/// Heads that there are fewer of than ranks are copied to several ranks.
std::int64_t divided_or_copied(std::int64_t heads, int ranks, const char* what) {
  return heads < ranks && ranks % heads == 0 ? 1 : divided(heads, ranks, what);
}

void divide(GroupedAttention& attention, int ranks) {
  attention.query_heads = divided(attention.query_heads, ranks, "the number of query heads");
  attention.kv_heads =
      divided_or_copied(attention.kv_heads, ranks, "the number of key-value heads");
}

void divide(LatentAttention& attention, int ranks) {
  attention.heads = divided(attention.heads, ranks, "the number of heads");
}

void divide(LinearAttention& attention, int ranks) {
  attention.heads = divided(attention.heads, ranks, "the number of value heads");
  attention.key_heads = divided_or_copied(attention.key_heads, ranks, "the number of key heads");
}

void divide(DenseFeedForward& feed_forward, int ranks) {
  feed_forward.width = divided(feed_forward.width, ranks, "the feed-forward width");
}

void divide(ExpertFeedForward& feed_forward, int ranks) {
  feed_forward.width = divided(feed_forward.width, ranks, "the width of an expert");
  feed_forward.shared_width =
      divided(feed_forward.shared_width, ranks, "the width of the shared experts");
}

}  // namespace

Model shard(const Model& model, int ranks) {
  if (ranks < 1) {
    throw std::invalid_argument("number of ranks is " + std::to_string(ranks) +
                                "; it must be at least 1");
  }
  Model part = model;
  for (LayerGroup& group : part.layers) {
    std::visit([&](auto& attention) { divide(attention, ranks); }, group.attention);
    std::visit([&](auto& feed_forward) { divide(feed_forward, ranks); }, group.feed_forward);
  }
  part.vocabulary = (model.vocabulary + ranks - 1) / ranks;  // padded, as in engines
  return part;
}

}  // namespace roofline::llm
