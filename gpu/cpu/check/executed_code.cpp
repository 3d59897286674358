// SPDX-License-Identifier: MIT
// Counters for each piece of code and thread of the running block.
#include "executed_code.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "gpu/cpu/matrix_unit.hpp"
#include "source/copies.hpp"

namespace gpu::cpu::check {
namespace {

// One lane's share: 32 lanes compute 16 x 8 x 16, or 64 lanes compute 16 x 16 x 16.
constexpr double kFlopsOfLane = 2.0 * kProductsOfLane;

}  // namespace

void ExecutedCode::enter(Address place, int thread) {
  Piece& piece = pieces_[place];
  if (piece.is_new) {
    piece.is_new = false;
    piece.place = place;
    entered_.push_back(&piece);
  }
  ++piece.times[static_cast<std::size_t>(thread)];
}

void ExecutedCode::multiply(Address place, const char* format) {
  Products& products = products_[place];
  products.format = format;
  ++products.lanes;
}

void ExecutedCode::join_selections(int threads) {
  for (Piece* piece : entered_) {
    piece->lanes += std::accumulate(piece->times.begin(), piece->times.begin() + threads, 0.0);
  }
  for (std::size_t i = 0; i < entered_.size(); ++i) {
    Piece& piece = *entered_[i];
    if (piece.selected_with == nullptr) {
      const SourcePlace begins = source_place(piece.place);
      piece.selected_with =
          begins.is_kernel_file && only_computes(piece.place)
              ? selections_.try_emplace({begins.file, begins.line}, &piece).first->second
              : &piece;
    }
    Piece& first = *piece.selected_with;
    if (&first == &piece) continue;
    if (first.is_new) {
      first.is_new = false;
      entered_.push_back(&first);
    }
    for (int t = 0; t < threads; ++t) {
      const auto thread = static_cast<std::size_t>(t);
      first.times[thread] += std::exchange(piece.times[thread], 0);
    }
  }
}

void ExecutedCode::block_ends(int threads, int lanes) {
  join_selections(threads);
  for (Piece* piece : entered_) {
    for (int first = 0; first < threads; first += lanes) {
      std::uint32_t most = 0;
      for (int thread = first; thread < std::min(first + lanes, threads); ++thread) {
        std::uint32_t& times = piece->times[static_cast<std::size_t>(thread)];
        most = std::max(most, times);
        times = 0;
      }
      piece->warp_steps += most;
    }
    piece->is_new = true;
  }
  entered_.clear();
}

void ExecutedCode::report(double scale, int lanes, vgpu::Launch& launch) {
  std::map<std::pair<std::string, int>, vgpu::LineWork> lines;
  const auto line_of = [&](const std::string& file, int line) -> vgpu::LineWork& {
    vgpu::LineWork& work = lines[{file, line}];
    work.file = file;
    work.line = line;
    return work;
  };
  for (auto& [place, piece] : pieces_) {
    if (piece.lanes == 0 && piece.warp_steps == 0) continue;
    if (!piece.content) {
      piece.content = {source_place(place), is_in_copy(place), arithmetic_of(place)};
    }
    const SourcePlace& begins = piece.content->begins;
    if (begins.is_kernel_file && !piece.content->is_copy) {
      vgpu::LineWork& work = line_of(begins.file, begins.line);
      work.warp_steps += scale * piece.warp_steps;
      work.lanes += scale * piece.lanes;
    }
    for (const LineArithmetic& one : piece.content->arithmetic) {
      vgpu::Arithmetic& sum = launch.arithmetic[one.format];
      for (double vgpu::Arithmetic::*kind :
           {&vgpu::Arithmetic::add, &vgpu::Arithmetic::multiply, &vgpu::Arithmetic::fma,
            &vgpu::Arithmetic::divide, &vgpu::Arithmetic::special, &vgpu::Arithmetic::convert,
            &vgpu::Arithmetic::packed}) {
        sum.*kind += scale * piece.lanes * (one.work.*kind);
      }
      if (one.is_kernel_file) {
        line_of(one.file, one.line).flops += scale * piece.lanes * one.work.flops();
      }
    }
    piece.warp_steps = piece.lanes = 0;
  }
  for (auto& [place, products] : products_) {
    if (products.lanes == 0) continue;
    if (!products.at) products.at = kernel_place(place);
    const double flops = scale * kFlopsOfLane * std::exchange(products.lanes, 0);
    vgpu::MatrixWork& sum = launch.matrix[products.format];
    sum.instructions += flops / (kFlopsOfLane * lanes);
    sum.flops += flops;
    if (products.at->is_kernel_file) line_of(products.at->file, products.at->line).flops += flops;
  }
  for (auto& [at, work] : lines) launch.lines.push_back(std::move(work));
}

}  // namespace gpu::cpu::check
