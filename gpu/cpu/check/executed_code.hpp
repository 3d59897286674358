// SPDX-License-Identifier: MIT
// Which basic blocks of a kernel's code the threads of a block executed.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "address_map.hpp"
#include "arithmetic.hpp"
#include "memory_map.hpp"
#include "source/source_lines.hpp"
#include "vgpu/profile.hpp"

namespace gpu::cpu::check {

/// Counts executions of code compiled with -fsanitize-coverage=trace-pc, which inserts a call at
/// the beginning of every basic block.
class ExecutedCode {
 public:
  /// `thread` of the block starts executing the piece of code behind `place`.
  void enter(Address place, int thread);
  /// One lane's share of a matrix instruction with factors of this format, called from `place`.
  void multiply(Address place, const char* format);
  /// The block is done; it had this many threads, in warps of this many lanes.
  void block_ends(int threads, int lanes);
  /// Adds the counts, times `scale`, to a launch with warps of this many lanes, and resets them.
  void report(double scale, int lanes, vgpu::Launch& launch);

 private:
  static constexpr std::size_t kMaxThreads = 1024;

  /// The contents of a piece, determined when it is first reported.
  struct Content {
    SourcePlace begins;
    bool is_copy = false;  ///< of a structure: to a GPU's compiler, no code at all
    std::vector<LineArithmetic> arithmetic;
  };
  struct Piece {
    std::array<std::uint32_t, kMaxThreads> times{};  ///< by each thread, in this block
    bool is_new = true;                              ///< not yet entered in this block
    Address place = 0;
    Piece* selected_with = nullptr;  ///< see join_selections(); null if not yet known
    double warp_steps = 0;
    double lanes = 0;
    std::optional<Content> content{};
  };

  /// Matrix instructions issued from one place.
  struct Products {
    std::string format;
    double lanes = 0;
    std::optional<SourcePlace> at{};
  };

  /// Counts pieces of one line that only compute as one: where some lanes of a warp take one and
  /// some another, as in `even ? a : b`, a GPU computes both for all lanes and selects.
  void join_selections(int threads);

  AddressMap<Piece> pieces_;
  std::map<std::pair<std::string, int>, Piece*> selections_;  ///< the first piece of each line
  std::vector<Piece*> entered_;                               ///< in this block
  AddressMap<Products> products_;
};

}  // namespace gpu::cpu::check
