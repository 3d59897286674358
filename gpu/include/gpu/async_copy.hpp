// SPDX-License-Identifier: MIT
// Copies from global to shared memory that a thread starts without waiting for them. On NVIDIA GPUs
// they bypass the registers (cp.async); elsewhere a copy completes as soon as it is started.
//
//   void copy_async(T* to, const T* from, bool is_there)
//                            16 bytes, aligned to 16; if `is_there` is false, nothing is read
//                            and zeros are written
//   void commit_copies()     makes a group of the copies that this thread has started since the
//                            last call
//   void wait_copies<kLeft>()
//                            waits until at most the newest kLeft groups of this thread are still
//                            in flight. Other threads see the copied data after a later barrier.
#pragma once

#include "gpu/backend/async_copy.hpp"
