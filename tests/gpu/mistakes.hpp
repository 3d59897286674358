// SPDX-License-Identifier: MIT
// One function per launch of mistakes.cu. Each waits for its kernel.
#pragma once

#include <cstddef>

namespace mistakes {

void run_past_the_end();
void run_guarded();
void run_before_the_start();
void run_vector_past_the_end();
void run_vector_across_the_end();
void run_store_across_the_end();
void run_past_the_end_beside_halves();
void run_halves_past_the_end();
void run_past_the_end_after_barrier();
void run_host_memory();
void run_null();
void run_unwritten_shared();
void run_unwritten_dynamic();
void run_join_structures(bool with_barrier);
void run_structure_across_the_end();
void run_missing_barrier();
void run_reduce_in_warp_only();
void run_reduce();
void run_collective_in_warp();
void run_add_without_atomic();
void run_add_with_atomic();
void run_blocks_race();
void run_last_block(bool with_fence);
void run_clear_beside_atomics();
void run_change_after_atomics();
void run_ordered_beside_atomics();
void run_lanes_agree();
void run_lanes_disagree();
void run_count_without_atomic();
void run_count_with_atomic();
void run_table_race();
void run_table_by_element();
void run_table_past_the_end();
void run_use_library();
void run_shared_past_the_end();
void run_shared_row_past_the_end();
void run_shared_rows_past_the_end();
void run_own_past_the_end();
void run_arrays_within();
void run_tiles_of_48_kib(std::size_t dynamic_bytes);
void run_tiles_beyond_48_kib();
void run_misaligned_load();
void run_misaligned_store();
void run_misaligned_double();
void run_misaligned_shared();
void run_aligned_copies();
void run_half_barrier();
void run_early_exit();
void run_two_barriers();
void run_shuffle_from_departed();
void run_mask_without_self();
void run_assumes_32(int warp_width);
void run_too_many_threads();
void run_too_much_shared();

}  // namespace mistakes
