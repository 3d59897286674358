// SPDX-License-Identifier: MIT
// Every diagnosed mistake: the explanation must appear and name the line, and must not appear
// without the mistake. Built twice: with checked kernels, and without, for what the fast mode also
// detects.
#include "mistakes.hpp"

#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "gpu/error.hpp"
#include "support/catch.hpp"

namespace {

// The error of a launch; empty if there was none.
std::string complaint(const std::function<void()>& launch) {
  try {
    launch();
  } catch (const gpu::Error& error) {
    REQUIRE(!error.kernel().empty());
    return error.driver_message();
  }
  return {};
}

// "mistakes.cu:12" for the line marked MISTAKE name.
std::string line_of(const std::string& name) {
  std::ifstream source(MISTAKES_SOURCE);
  int number = 0;
  for (std::string line; std::getline(source, line);) {
    ++number;
    if (line.ends_with("// MISTAKE " + name)) return "mistakes.cu:" + std::to_string(number);
  }
  FAIL("no line is marked MISTAKE " << name);
  return {};
}

void require_words(const std::string& text, const std::vector<std::string>& words) {
  CAPTURE(text);
  for (const auto& word : words) {
    CAPTURE(word);
    REQUIRE(text.find(word) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("a barrier that not all threads reach is explained with threads and line") {
  require_words(complaint(mistakes::run_half_barrier),
                {"reach the same barrier\nthreads 0-31 wait", line_of("half_barrier"),
                 "threads 32-63 have left"});
  require_words(complaint(mistakes::run_early_exit),
                {"threads 0-39 wait", line_of("early_exit"), "threads 40-63 have left"});
  require_words(complaint(mistakes::run_two_barriers),
                {line_of("two_barriers"), "threads 0, 2, 4", "threads 1, 3, 5"});
}

TEST_CASE("shuffles from lanes that are gone or unnamed are explained") {
  require_words(
      complaint(mistakes::run_shuffle_from_departed),
      {"lane 19", "from lane 20", "has left the kernel", line_of("shuffle_from_departed")});
  require_words(complaint(mistakes::run_mask_without_self),
                {"lane 32", "64 lanes", line_of("mask_without_self")});
}

TEST_CASE("a kernel that assumes warps of 32 fails on warps of 64 only") {
  REQUIRE(complaint([] { mistakes::run_assumes_32(32); }).empty());
  require_words(complaint([] { mistakes::run_assumes_32(64); }),
                {"64 lanes", line_of("assumes_32")});
}

TEST_CASE("launches beyond a GPU's limits are refused") {
  require_words(complaint(mistakes::run_too_many_threads), {"64 x 32 x 1", "1024"});
  REQUIRE(complaint(mistakes::run_too_much_shared).empty());
  REQUIRE(setenv("ROOFLINE_GPU_LIMITS", "gfx90a", 1) == 0);
  REQUIRE(setenv("ROOFLINE_WARP_WIDTH", "64", 1) == 0);
  require_words(complaint(mistakes::run_too_much_shared), {"102400 bytes", "65536", "gfx90a"});
  REQUIRE(unsetenv("ROOFLINE_WARP_WIDTH") == 0);
  require_words(complaint(mistakes::run_half_barrier), {"warps of 32 lanes", "gfx90a"});
  REQUIRE(unsetenv("ROOFLINE_GPU_LIMITS") == 0);
}

#ifdef KERNELS_ARE_CHECKED

TEST_CASE("accesses outside a buffer are explained with index, size and thread") {
  require_words(complaint(mistakes::run_past_the_end),
                {"index 1000 of the buffer allocated at", "holds 1000 elements of 4 bytes",
                 "reads 4 bytes", "block (3,0,0)", "thread (232,0,0)", line_of("past_the_end")});
  require_words(complaint(mistakes::run_before_the_start),
                {"index -1 of the buffer", "thread (0,0,0)", line_of("before_the_start")});
  require_words(complaint(mistakes::run_vector_past_the_end),
                {"index 31", "16 bytes", "holds 31 elements", line_of("vector_past_the_end")});
  require_words(complaint(mistakes::run_past_the_end_beside_halves),
                {"index 64", "holds 64 elements", line_of("past_the_end_beside_halves")});
  require_words(complaint(mistakes::run_halves_past_the_end),
                {"index 63", "holds 63 elements of 2 bytes", line_of("halves_past_the_end")});
  require_words(complaint(mistakes::run_past_the_end_after_barrier),
                {"index 64", "holds 64 elements", line_of("past_the_end_after_barrier")});
  require_words(complaint(mistakes::run_host_memory), {"not a device buffer"});
  require_words(complaint(mistakes::run_null), {"null pointer", "without elements"});
  REQUIRE(complaint(mistakes::run_guarded).empty());
}

TEST_CASE("a wide access of which only a part is inside is explained by its width") {
  const std::string read = complaint(mistakes::run_vector_across_the_end);
  require_words(read, {"outside of a buffer: 16 bytes are read at byte 496 of the buffer allocated",
                       "and it ends after 508 bytes", "thread (31,0,0)", "Use a wide type only",
                       line_of("vector_across_the_end")});
  REQUIRE(read.find("Guard the index") == std::string::npos);
  require_words(complaint(mistakes::run_store_across_the_end),
                {"16 bytes are written at byte 0 of the buffer", "and it ends after 12 bytes"});
}

TEST_CASE("reads of shared memory that nobody wrote are explained") {
  require_words(
      complaint(mistakes::run_unwritten_shared),
      {"no thread of the block has written", "thread (58,0,0)", line_of("unwritten_shared")});
  require_words(
      complaint(mistakes::run_unwritten_dynamic),
      {"no thread of the block has written", "thread (32,0,0)", line_of("unwritten_dynamic")});
}

TEST_CASE("races within a barrier interval are explained with both places") {
  require_words(complaint(mistakes::run_missing_barrier),
                {"shared memory", "thread (0,0,0)", line_of("missing_barrier"), "__syncthreads"});
  require_words(complaint(mistakes::run_reduce_in_warp_only),
                {"data race in shared memory", line_of("reduce_in_warp_only")});
  REQUIRE(complaint(mistakes::run_reduce).empty());
  REQUIRE(complaint(mistakes::run_collective_in_warp).empty());
}

TEST_CASE("structures that are passed and returned by value are accesses where that is done") {
  require_words(complaint([] { mistakes::run_join_structures(false); }),
                {"data race in shared memory", line_of("join_structures")});
  REQUIRE(complaint([] { mistakes::run_join_structures(true); }).empty());
  require_words(complaint(mistakes::run_structure_across_the_end),
                {"24 bytes are written", line_of("structure_across_the_end")});
}

TEST_CASE("additions without an atomic are explained") {
  require_words(complaint(mistakes::run_add_without_atomic),
                {"missing atomic", "thread (0,0,0)", "thread (1,0,0)",
                 line_of("add_without_atomic"), "atomicAdd"});
  REQUIRE(complaint(mistakes::run_add_with_atomic).empty());
  require_words(
      complaint(mistakes::run_blocks_race),
      {"data race in device memory", "block (0,0,0)", "block (1,0,0)", line_of("blocks_race")});
}

TEST_CASE("a plain store and other blocks' atomics are a race, whatever the storing thread adds") {
  require_words(complaint(mistakes::run_clear_beside_atomics),
                {"data race in device memory", "block (0,0,0)", "writes", "block (1,0,0)",
                 "updates", line_of("clear_beside_atomics")});
  require_words(complaint(mistakes::run_change_after_atomics),
                {"data race in device memory", "block (2,0,0)", "block (3,0,0)",
                 line_of("change_after_atomics")});
  REQUIRE(complaint(mistakes::run_ordered_beside_atomics).empty());
}

TEST_CASE("a fence and an atomic hand a block's results to another") {
  REQUIRE(complaint([] { mistakes::run_last_block(true); }).empty());
  require_words(complaint([] { mistakes::run_last_block(false); }),
                {"data race in device memory", "block (3,0,0)", line_of("last_block")});
}

TEST_CASE("variables of the file are device memory, and the library's are not the kernel's") {
  require_words(complaint(mistakes::run_count_without_atomic),
                {"missing atomic in device memory, counter:", "thread (0,0,0)", "thread (1,0,0)",
                 line_of("count_without_atomic"), "atomicAdd"});
  REQUIRE(complaint(mistakes::run_count_with_atomic).empty());
  require_words(complaint(mistakes::run_table_race),
                {"data race in device memory, table[2][0]:", line_of("table_race")});
  REQUIRE(complaint(mistakes::run_table_by_element).empty());
  REQUIRE(complaint(mistakes::run_use_library).empty());
}

TEST_CASE("more shared memory than a GPU has for arrays is refused, with what they take") {
  REQUIRE(complaint([] { mistakes::run_tiles_of_48_kib(0); }).empty());
  require_words(complaint(mistakes::run_tiles_beyond_48_kib),
                {"49160 bytes of shared memory", "__shared__ arrays", "49152", "dynamic_shared"});
  // 227 KiB in all.
  REQUIRE(complaint([] { mistakes::run_tiles_of_48_kib(179 * 1024); }).empty());
  require_words(complaint([] { mistakes::run_tiles_of_48_kib(180 * 1024); }),
                {"233472 bytes", "49152 in __shared__ arrays", "184320 by the launch", "232448"});
}

TEST_CASE("addresses that a GPU cannot access at once are explained") {
  require_words(complaint(mistakes::run_misaligned_load),
                {"misaligned address: 16 bytes at once, beginning at byte 4 of the buffer",
                 "a multiple of 16", "thread (0,0,0)", "reads", line_of("misaligned_load")});
  require_words(complaint(mistakes::run_misaligned_store),
                {"misaligned address: 8 bytes", "writes", line_of("misaligned_store")});
  require_words(complaint(mistakes::run_misaligned_double),
                {"misaligned address: 8 bytes", "reads", line_of("misaligned_double")});
  require_words(complaint(mistakes::run_misaligned_shared),
                {"misaligned address: 16 bytes at once, beginning at tile[2],", "a multiple of 16",
                 line_of("misaligned_shared")});
  REQUIRE(complaint(mistakes::run_aligned_copies).empty());
}

// With clang only the memory around all variables is checked; a sanitizer reports such indices
// itself.
TEST_CASE("indices beyond an array's declared bounds are explained") {
#if !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
  require_words(complaint(mistakes::run_shared_past_the_end),
                {"array index out of range: index 64", "float [64]", "thread (63,0,0)",
                 line_of("shared_past_the_end")});
  require_words(complaint(mistakes::run_shared_row_past_the_end),
                {"index 8", "float [8]", "thread (7,0,0)", line_of("shared_row_past_the_end")});
  // A description that is too long for a small string without heap memory.
  require_words(
      complaint(mistakes::run_shared_rows_past_the_end),
      {"index 17", "float [17][66]", "thread (16,0,0)", line_of("shared_rows_past_the_end")});
  require_words(complaint(mistakes::run_table_past_the_end),
                {"index 64", "int [64]", "thread (63,0,0)", line_of("table_past_the_end")});
  require_words(complaint(mistakes::run_own_past_the_end),
                {"index 4", "float [4]", line_of("own_past_the_end")});
#endif
  REQUIRE(complaint(mistakes::run_arrays_within).empty());
}

TEST_CASE("writes without order are a race unless they store the same") {
  REQUIRE(complaint(mistakes::run_lanes_agree).empty());
  require_words(complaint(mistakes::run_lanes_disagree),
                {"two threads write it with no barrier between", "thread (16,0,0)",
                 line_of("lanes_disagree"), "correct the index or its guard", "__syncthreads()"});
}

#endif
