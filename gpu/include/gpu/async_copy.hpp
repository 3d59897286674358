// SPDX-License-Identifier: MIT
// Copies from global to shared memory that a thread begins and does not wait for: on NVIDIA GPUs
// they pass no register (cp.async); elsewhere a copy is done when it was begun.
//
//   void copy_async(T* to, const T* from, bool is_there)
//                            16 bytes, aligned to 16; zeros where `is_there` is false, and then
//                            nothing is read
//   void commit_copies()     what this thread has begun since the last call is a group
//   void wait_copies<kLeft>()
//                            waits until at most the newest kLeft groups of this thread are under
//                            way. Other threads see what was copied after a barrier behind it.
#pragma once

#include "gpu/backend/async_copy.hpp"
