// SPDX-License-Identifier: MIT
// The inputs that functions are tried with and the reference's replies: the same for a whole class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "harness/value.hpp"

namespace grader {

/// Some inputs of a function as they are sent to a program, and the reference's replies.
struct CaseChunk {
  harness::Value request;               ///< message::Call, ready to be sent
  std::vector<harness::Value> replies;  ///< ("ok", value) or ("error", text)

  /// Arguments of input `index`. @throws ProtocolError when there is none.
  const harness::Value& arguments(std::size_t index) const { return request.at(2).at(index); }
};

struct FunctionCases {
  std::vector<CaseChunk> chunks;
  std::size_t count = 0;  ///< of inputs, in all chunks
};

/// The cases of functions by exercise and seed, each made once. Threads may share one object.
class KnownCases {
 public:
  /// Calls `make` if the cases are unknown; other callers for the same cases wait for it.
  std::shared_ptr<const FunctionCases> find(const std::string& exercise, std::uint64_t seed,
                                            const std::function<FunctionCases()>& make);

 private:
  struct Place {
    std::mutex mutex;
    std::shared_ptr<const FunctionCases> cases;
  };

  std::mutex mutex_;
  std::map<std::pair<std::string, std::uint64_t>, std::shared_ptr<Place>> places_;
};

}  // namespace grader
