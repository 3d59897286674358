// SPDX-License-Identifier: MIT
// The filter, instruction by instruction.
#include "grader/program/system_calls.hpp"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <vector>
#endif

namespace grader {

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
namespace {

#ifdef __x86_64__
constexpr unsigned kMachine = AUDIT_ARCH_X86_64;
#else
constexpr unsigned kMachine = AUDIT_ARCH_AARCH64;
#endif

constexpr unsigned refusal(int error) {
  return SECCOMP_RET_ERRNO | (static_cast<unsigned>(error) & SECCOMP_RET_DATA);
}

std::vector<unsigned> refused_calls() {
  std::vector<unsigned> calls = {
      SYS_unshare,           SYS_setns,  SYS_mount, SYS_ptrace,         SYS_process_vm_readv,
      SYS_process_vm_writev, SYS_shmget, SYS_bpf,   SYS_io_uring_setup, SYS_userfaultfd,
      SYS_memfd_create};
#ifdef SYS_fork
  calls.push_back(SYS_fork);
  calls.push_back(SYS_vfork);
#endif
  return calls;
}

}  // namespace

std::string call_filter() {
  std::vector<sock_filter> code;
  const auto load = [&](std::size_t offset) {
    code.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)));
  };
  const auto jump = [&](unsigned how, unsigned value, unsigned char yes, unsigned char no) {
    code.push_back(BPF_JUMP(static_cast<unsigned short>(BPF_JMP | how | BPF_K), value, yes, no));
  };
  const auto answer = [&](unsigned value) { code.push_back(BPF_STMT(BPF_RET | BPF_K, value)); };
  load(offsetof(seccomp_data, arch));
  jump(BPF_JEQ, kMachine, 1, 0);
  answer(refusal(EPERM));  // 32-bit programs use other numbers for the same calls
  load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
  constexpr unsigned kFirstOfX32 = 0x40000000;
  jump(BPF_JGE, kFirstOfX32, 0, 1);
  answer(refusal(EPERM));
#endif
  // The flags of clone3 are in memory, which a filter cannot read; the C library falls back to
  // clone.
  jump(BPF_JEQ, SYS_clone3, 0, 1);
  answer(refusal(ENOSYS));
  for (const unsigned call : refused_calls()) {
    jump(BPF_JEQ, call, 0, 1);
    answer(refusal(EPERM));
  }
  jump(BPF_JEQ, SYS_clone, 0, 3);
  load(offsetof(seccomp_data, args));
  jump(BPF_JSET, CLONE_THREAD, 1, 0);
  answer(refusal(EPERM));
  answer(SECCOMP_RET_ALLOW);
  return {reinterpret_cast<const char*>(code.data()), code.size() * sizeof(sock_filter)};
}

bool apply_call_filter(const std::string& filter) {
  if (filter.empty()) return true;
  sock_fprog program{static_cast<unsigned short>(filter.size() / sizeof(sock_filter)),
                     reinterpret_cast<sock_filter*>(const_cast<char*>(filter.data()))};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
#else
std::string call_filter() {
  return {};
}

bool apply_call_filter(const std::string&) {
  return true;
}
#endif

}  // namespace grader
