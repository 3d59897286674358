# SPDX-License-Identifier: MIT
# The lab calls the vendor's matrix product.
set(RL_LAB_LIBRARIES rl::gpu_blas)
