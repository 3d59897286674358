// SPDX-License-Identifier: MIT
// A value that code in the same process can neither read nor write while it is sealed.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>

#ifdef __linux__
#include <sys/syscall.h>
#endif

namespace base {

/// A value on its own pages, accessible only while an Open exists. On Linux on x86-64 it is at the
/// fixed address `place`, so there is no pointer to it that could be redirected. It depends on no
/// library that must be initialised first, so it can be used before all constructors.
///
/// Where Linux has secret memory (5.14 and later), /proc/self/mem does not show it either. Code
/// that can call mprotect still gets in; the grader checks a student's object file for that.
template <class T, std::uintptr_t place>
class SealedPage {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SealedPage() = delete;

  /// Creates the value as T{} and seals it. Call it once, before anything else. Ends the program if
  /// the address is taken.
  static void make() {
#if defined(__linux__) && defined(__x86_64__)
    constexpr int kPlaced = MAP_FIXED_NOREPLACE;
    void* const wanted = reinterpret_cast<void*>(place);
#else
    constexpr int kPlaced = 0;
    void* const wanted = nullptr;
#endif
    const int secret = secret_memory();
    void* got = MAP_FAILED;
    if (secret >= 0) {
      // Fails if the process may not lock memory.
      got = ::mmap(wanted, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | kPlaced, secret, 0);
      ::close(secret);
    }
    if (got == MAP_FAILED) {
      got = ::mmap(wanted, sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | kPlaced,
                   -1, 0);
    }
    if (got == MAP_FAILED || (wanted != nullptr && got != wanted)) std::abort();
    elsewhere_ = got;
    ::new (got) T{};
    allow(PROT_NONE);
  }

  /// Access to the value for the life of this object; sealed again when it ends.
  class Open {
   public:
    Open() { allow(PROT_READ | PROT_WRITE); }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;
    ~Open() { allow(PROT_NONE); }
    T* operator->() const { return value(); }
    T& operator*() const { return *value(); }
  };

 private:
  /// A descriptor of memory that the kernel itself does not read; -1 if there is none.
  static int secret_memory() {
#ifdef SYS_memfd_secret
    const auto secret = static_cast<int>(::syscall(SYS_memfd_secret, 0U));
    if (secret < 0) return -1;
    if (::ftruncate(secret, sizeof(T)) == 0) return secret;
    ::close(secret);
#endif
    return -1;
  }
  static T* value() {
#if defined(__linux__) && defined(__x86_64__)
    return reinterpret_cast<T*>(place);
#else
    return static_cast<T*>(elsewhere_);
#endif
  }
  static void allow(int access) {
    if (::mprotect(value(), sizeof(T), access) != 0) std::abort();
  }

  static inline void* elsewhere_ = nullptr;
};

}  // namespace base
