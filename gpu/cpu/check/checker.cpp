// SPDX-License-Identifier: MIT
// Sorts accesses by the memory they go to, and words the explanations.
#include "checker.hpp"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <random>
#include <utility>

#include "base/sealed_page.hpp"
#include "base/siphash.hpp"
#include "described_device.hpp"
#include "fiber_stack.hpp"
#include "gpu/cpu/matrix_unit.hpp"
#include "gpu/error.hpp"
#include "gpu/profile.hpp"
#include "launch_limits.hpp"
#include "running_thread.hpp"
#include "source/source_lines.hpp"
#include "source/variables.hpp"

namespace gpu::cpu::check {
namespace {

constexpr std::size_t kGuardBytes = 64 * 1024;
// How far beyond a buffer an access still counts as having missed that buffer.
constexpr std::size_t kReach = std::size_t{1} << 30;

std::string bytes_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

/// What code on the host must not change between launches. We keep a digest of it, on a page that
/// such code cannot reach.
struct Sealed {
  base::SipKey key{};
  std::uint64_t digest = 0;
};
using Seal = base::SealedPage<Sealed, 0x5ea2'0000'0000>;

/// Compilers assume that an access does not throw, so the exception cannot propagate out of every
/// kernel. If it cannot, the program ends with this message.
std::string last_words;

[[noreturn]] void say_last_words() {
  std::fprintf(stderr, "%s\n", last_words.c_str());
  std::abort();
}

void prepare_last_words(const std::string& finding) {
  last_words = finding;
  std::set_terminate(say_last_words);
}

AddressRange range_of(const auto& variable) {
  const auto begin = reinterpret_cast<Address>(&variable);
  return {begin, begin + sizeof(variable)};
}

std::string index_text(const Index3& index) {
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
         std::to_string(index.z) + ")";
}

Index3 unfold(std::int64_t linear, dim3 extent) {
  const auto row = linear / extent.x;
  return index3(static_cast<int>(linear % extent.x), static_cast<int>(row % extent.y),
                static_cast<int>(row / extent.y));
}

const char* verb(AccessKind kind) {
  return kind == AccessKind::kRead ? "reads" : kind == AccessKind::kWrite ? "writes" : "updates";
}

const char* participle(AccessKind kind) {
  return kind == AccessKind::kRead ? "read" : kind == AccessKind::kWrite ? "written" : "updated";
}

/// Where a buffer comes from. The buffer of an argument has a name instead of a file, and no line.
std::string origin(const Buffer& buffer) {
  if (buffer.allocated_at.line == 0) return buffer.allocated_at.file;
  return "the buffer allocated at " + place_of(buffer.allocated_at);
}

}  // namespace

bool Checker::is_made_ = false;
alignas(Checker) std::byte Checker::place_[sizeof(Checker)];

// The first call comes before main, on the only thread. A static object would need a guard
// variable, and its constructor calls memcpy, which asks for the checker again (see
// instrumentation.cpp) and must find that no kernel is running.
void Checker::make() {
  is_made_ = true;
  ::new (place_) Checker;
}

Checker::Checker() : static_memory_(cpu::static_memory()), writable_(writable_static_memory()) {
  Seal::make();
  std::random_device random;
  {
    const Seal::Open sealed;
    for (std::uint64_t& word : sealed->key) word = (std::uint64_t{random()} << 32U) | random();
  }
  seal();
#ifndef __SANITIZE_ADDRESS__
  struct sigaction action {};
  action.sa_sigaction = explain_fault;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGSEGV, &action, nullptr);
#endif
}

std::uint64_t Checker::digest() const {
  const Seal::Open sealed;
  const std::array<std::uint64_t, 4> all = {
      reinterpret_cast<Address>(traffic_), reinterpret_cast<Address>(profiler_),
      traffic_ == nullptr ? 0 : traffic_->digest(sealed->key),
      profiler_ == nullptr ? 0 : profiler_->digest(sealed->key)};
  return base::siphash(sealed->key, {reinterpret_cast<const char*>(all.data()), sizeof all});
}

void Checker::seal() const {
  const std::uint64_t now = digest();
  Seal::Open()->digest = now;
}

void Checker::check_seal() const {
  const std::uint64_t now = digest();
  if (Seal::Open()->digest == now) return;
  std::fputs("code on the host changed what was counted in kernels\n", stderr);
  std::abort();
}

Traffic* Checker::count_into(Traffic* traffic) {
  Traffic* const before = std::exchange(traffic_, traffic);
  seal();
  return before;
}

void Checker::profile_into(LaunchProfiler* profiler) {
  profiler_ = profiler;
  profiled_bytes_to_host_ = 0;
  seal();
}

int Checker::warp_width() const {
  return profiler_ == nullptr ? 0 : profiler_->lanes();
}

void Checker::add_to(std::uint64_t Counts::*field, std::uint64_t count) {
  if (traffic_ == nullptr) return;
  check_seal();
  traffic_->counts().*field += count;
  seal();
}

void Checker::copies(detail::CopyKind kind, std::size_t bytes) {
  if (profiler_ != nullptr && kind == detail::CopyKind::kDeviceToHost) {
    // A profile sees what kernels do; a total or a flag may be copied.
    constexpr std::size_t kMost = 4096;
    profiled_bytes_to_host_ += bytes;
    if (profiled_bytes_to_host_ > kMost) {
      throw Error({.expression = "copy_to_host()",
                   .where = {},
                   .driver_message = "the host copies more than " + std::to_string(kMost) +
                                     " bytes out of device memory, and its work is not profiled: "
                                     "the kernel has to do the work",
                   .kernel = {}});
    }
  }
  if (kind == detail::CopyKind::kDeviceToHost) add_to(&Counts::bytes_to_host, bytes);
  if (kind == detail::CopyKind::kHostToDevice) add_to(&Counts::bytes_to_device, bytes);
}

void Checker::launch_recorded() {
  add_to(&Counts::launches_recorded, 1);
}

void Checker::launch_replayed() {
  add_to(&Counts::launches_replayed, 1);
}

void Checker::sets_constant(const void* variable, std::size_t bytes) {
  add_to(&Counts::bytes_to_device, bytes);
  constexpr std::size_t kMost = std::size_t{64} << 10;  // of a GPU; what is larger is __device__
  const auto begin = reinterpret_cast<Address>(variable);
  std::erase_if(constants_, [&](const AddressRange& other) { return other.begin == begin; });
  std::size_t all = bytes;
  for (const AddressRange& constant : constants_) all += constant.end - constant.begin;
  if (all <= kMost) constants_.push_back({begin, begin + bytes});
}

void Checker::set_access(const Buffer& buffer, bool is_open) {
  const auto page = static_cast<Address>(::sysconf(_SC_PAGESIZE));
  const Address begin = (buffer.range.begin + page - 1) / page * page;
  const Address end = (buffer.range.end + page - 1) / page * page;  // guards are larger
  if (begin >= end) return;
  if (::mprotect(reinterpret_cast<void*>(begin), end - begin,
                 is_open ? PROT_READ | PROT_WRITE : PROT_NONE) != 0) {
    std::perror("mprotect");
    std::abort();
  }
}

void Checker::open_device_memory() {
  if (opened_++ > 0) return;
  buffers_.for_each([](const Buffer& buffer) { set_access(buffer, true); });
}

void Checker::close_device_memory() {
  if (--opened_ > 0) return;
  buffers_.for_each([](const Buffer& buffer) { set_access(buffer, false); });
}

void Checker::explain_fault(int signal, siginfo_t* info, void* context) {
  const Buffer* buffer = instance().buffers_.holding(reinterpret_cast<Address>(info->si_addr));
  if (buffer == nullptr || instance().opened_ > 0) {
    ::signal(signal, SIG_DFL);  // the signal is raised again and ends the program
    return;
  }
  Address place = 0;
#ifdef __x86_64__
  place = static_cast<Address>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]) + 1;
#else
  static_cast<void>(context);
#endif
  const std::string line = place == 0 ? "" : source_line(place);
  std::fprintf(stderr,
               "%s%shost code reads or writes device memory (%s). On a GPU it cannot: that is for "
               "kernels, copies and fills.\n",
               line.c_str(), line.empty() ? "" : ": ", origin(*buffer).c_str());
  std::abort();
}

std::size_t Checker::guard_bytes() const {
  return kGuardBytes;
}

void Checker::allocated(void* memory, std::size_t bytes, SourceLocation where) {
  stacks_ = {};
  buffers_.add(memory, bytes, where);
  if (opened_ == 0) set_access(*buffers_.holding(reinterpret_cast<Address>(memory)), false);
}

void Checker::released(void* memory) {
  const Buffer* buffer = buffers_.holding(reinterpret_cast<Address>(memory));
  if (buffer != nullptr) set_access(*buffer, true);
  buffers_.remove(memory);
}

void Checker::launch_begins(const KernelLaunch& launch, void* shared, std::size_t shared_bytes) {
  check_seal();
  launch_ = &launch;
  host_frame_ = reinterpret_cast<Address>(__builtin_frame_address(0));
  stacks_ = {};
  thread_local_memory_ = cpu::thread_local_memory();
  own_variables_ = {range_of(threadIdx), range_of(blockIdx), range_of(blockDim),
                    range_of(gridDim),   range_of(warpSize), range_of(thread_limit)};
  const auto begin = reinterpret_cast<Address>(shared);
  dynamic_shared_ = {begin, begin + shared_bytes};
  const auto arguments = reinterpret_cast<Address>(launch.arguments);
  arguments_ = {arguments, arguments + launch.arguments_bytes};
  global_history_.clear();
  used_shared_.clear();
  used_shared_bytes_ = 0;
  last_shared_ = {};
  released_.clear();
  finding_.reset();
  unwritten_read_.reset();
  more_findings_ = 0;
  has_begun_ = false;
  if (traffic_ != nullptr) {
    ++traffic_->counts().launches;
    traffic_->counts().argument_bytes += launch.arguments_bytes;
  }
  if (profiler_ != nullptr) profiler_->launch_begins(launch);
}

std::optional<BlockRange> Checker::next_blocks(std::int64_t blocks) {
  if (profiler_ != nullptr) return profiler_->next_blocks();
  if (std::exchange(has_begun_, true)) return std::nullopt;
  return BlockRange{0, blocks};
}

void Checker::block_begins() {
  shared_history_.clear();
  block_interval_ = 0;
  warp_interval_ = {};
  acquired_.clear();
  has_fenced_ = false;
  matrix_unit_.block_begins();
  if (traffic_ != nullptr) traffic_->block_begins();
}

void Checker::block_met() {
  ++block_interval_;
  if (traffic_ != nullptr) traffic_->block_met();
  if (profiler_ != nullptr) profiler_->block_met();
}

void Checker::warp_met(int number) {
  ++warp_interval_[number];
  if (traffic_ != nullptr) traffic_->warp_met(number);
  if (profiler_ != nullptr) profiler_->warp_met(number);
}

void Checker::launch_ends() {
  in_kernel_ = false;
  settle_writes();
  if (profiler_ != nullptr) profiler_->launch_ends();
  if (traffic_ != nullptr) traffic_->launch_ends();
  seal();
  // A read that looks unwritten may just have come too early; in that case we also found a race,
  // and report that.
  if (!finding_) finding_ = std::exchange(unwritten_read_, std::nullopt);
  if (!finding_) return;
  std::string text = *std::exchange(finding_, std::nullopt);
  if (more_findings_ > 0) text += "\n(and " + std::to_string(more_findings_) + " more like it)";
  throw Error({.expression = "launch<" + std::string(launch_->name) + ">",
               .where = launch_->where,
               .driver_message = text,
               .kernel = std::string(launch_->name)});
}

Checker::Space Checker::space_of(Address address, std::size_t size) const {
  if (thread_local_memory_.contains(address, size)) {
    for (const auto& range : own_variables_) {
      if (range.contains(address, size)) return Space::kPrivate;
    }
    return Space::kShared;
  }
  if (buffers_.holding(address) != nullptr) return Space::kGlobal;
  if (dynamic_shared_.contains(address, size)) return Space::kShared;
  const auto is_in = [&](const std::vector<AddressRange>& ranges) {
    return std::ranges::any_of(ranges, [&](const auto& r) { return r.contains(address, size); });
  };
  if (arguments_.contains(address, size) || is_in(constants_)) return Space::kPrivate;
  if (is_in(writable_)) return Space::kStatic;
  return is_in(static_memory_) ? Space::kPrivate : Space::kNone;
}

// Once we know how far the memory around the running stack holds nothing else, the address alone
// identifies a thread's own variables.
bool Checker::is_on_stack(Address address, std::size_t size) {
  const auto here = reinterpret_cast<Address>(__builtin_frame_address(0));
  if (address + kFiberStackBytes <= here || address >= here + kFiberStackBytes) return false;
  AddressRange window = clear_of_others({here - kFiberStackBytes, here + kFiberStackBytes}, here);
  if (window.begin <= stacks_.end && stacks_.begin <= window.end) {
    window = {std::min(window.begin, stacks_.begin), std::max(window.end, stacks_.end)};
  }
  stacks_ = window;
  return stacks_.contains(address, size);
}

AddressRange Checker::clear_of_others(AddressRange window, Address here) const {
  const auto keep_off = [&](const AddressRange& other) {
    if (other.end <= here) window.begin = std::max(window.begin, other.end);
    if (other.begin > here) window.end = std::min(window.end, other.begin);
  };
  keep_off(thread_local_memory_);
  keep_off(dynamic_shared_);
  keep_off({host_frame_, ~Address{0}});
  if (const Buffer* below = buffers_.before(here)) keep_off(below->range);
  if (const Buffer* above = buffers_.after(here)) keep_off(above->range);
  return window;
}

Access Checker::describe(AccessKind kind, Address place) const {
  const int thread = running_thread();
  const int warp = thread / warpSize;
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  Access access;
  access.place = place;
  access.block_interval = block_interval_;
  access.warp_interval = warp_interval_[static_cast<std::size_t>(warp)];
  access.block = block;
  access.thread = static_cast<std::int16_t>(thread);
  access.warp = static_cast<std::int8_t>(warp);
  access.kind = kind;
  return access;
}

void Checker::judge(Address address, std::size_t size, AccessKind kind, Address place,
                    std::size_t alignment) {
  if (is_on_stack(address, size)) return;
  if (profiler_ != nullptr) {
    in_kernel_ = false;  // code called from here is not the kernel's
    const bool is_noted = profile({kind, address, size}, place);
    in_kernel_ = true;
    if (is_noted) return;
  }
  const Space space = space_of(address, size);
  // The loop over threads also updates threadIdx through here, one past the last thread.
  if (space == Space::kPrivate) return;
  in_kernel_ = false;  // code called from here is not the kernel's
  settle_writes();
  const Access access = describe(kind, place);
  if (space == Space::kShared) {
    check_shared(address, size, access);
  } else if (space == Space::kStatic) {
    check_static(address, size, access);
  } else {
    check_global(address, size, access);
  }
  if (address % alignment != 0) stop(explain_misaligned(address, size, access, alignment));
  if (traffic_ != nullptr) {
    const Buffer* buffer = space == Space::kGlobal ? buffers_.holding(address) : nullptr;
    const bool has_name = buffer != nullptr && buffer->allocated_at.line == 0;
    traffic_->note(space == Space::kShared, kind, address, size, place,
                   has_name ? buffer->allocated_at.file : nullptr);
    if (space == Space::kStatic && kind != AccessKind::kRead) {
      traffic_->counts().bytes_stored_in_variables += size;
    }
  }
  in_kernel_ = true;
}

void Checker::on_index_outside(const std::string& index, const std::string& array, Address place) {
  in_kernel_ = false;  // code called from here is not the kernel's
  stop("array index out of range: index " + index + " of an array that is declared as " + array +
       "\n" + who(describe(AccessKind::kRead, place)) + " uses it.");
}

void Checker::on_matrix_instruction(const char* format, Address place) {
  if (traffic_ != nullptr) traffic_->counts().matrix_products += kProductsOfLane;
  if (profiler_ == nullptr) return;
  in_kernel_ = false;  // code called from here is not the kernel's
  profiler_->note_matrix_instruction(format, place);
  in_kernel_ = true;
}

void Checker::on_absent_lanes() {
  stop(
      "matrix instruction of a part of a warp\n"
      "Its 32 lanes hold the matrices together, and some of them have left the kernel or do not "
      "exist. On a GPU the result is undefined.");
}

bool Checker::profile(const DeviceAccess& access, Address place) {
  if (profiler_->note_global(access, place)) return true;
  const Space space = space_of(access.address, access.bytes);
  if (space == Space::kShared) {
    profiler_->note_shared(access, place);
    return true;
  }
  if (space == Space::kStatic) {
    const auto range = std::ranges::find_if(writable_, [&](const auto& variables) {
      return variables.contains(access.address, access.bytes);
    });
    profiler_->add_buffer(*range);
    return profiler_->note_global(access, place);
  }
  const Buffer* const buffer = space == Space::kGlobal ? buffers_.holding(access.address) : nullptr;
  if (buffer == nullptr || !buffer->range.contains(access.address, access.bytes)) return false;
  profiler_->add_buffer(buffer->range);
  return profiler_->note_global(access, place);
}

template <class Explain>
void Checker::report(const Explain& explain) {
  if (finding_) {
    ++more_findings_;
  } else {
    finding_ = explain();  // takes long: it reads debug information
  }
}

void Checker::stop(std::string finding) {
  // Replaces earlier findings, which are consequences of the same mistake.
  finding_ = std::move(finding);
  more_findings_ = 0;
  prepare_last_words(*finding_);
  throw KernelStopped{};
}

void Checker::check_global(Address address, std::size_t size, const Access& access) {
  const Buffer* buffer = buffers_.holding(address);
  if (buffer == nullptr || !buffer->range.contains(address, size)) {
    stop(explain_stray(address, size, access));
  }
  check_order(address, size, access);
}

// A variable of the kernel's file, such as a __device__ counter, is device memory just like a
// buffer. Variables of the course's headers and of the C++ library are not the kernel's.
void Checker::check_static(Address address, std::size_t size, const Access& access) {
  if (static_variables().holding(address) != nullptr) check_order(address, size, access);
}

void Checker::check_order(Address address, std::size_t size, const Access& access) {
  if (access.kind == AccessKind::kAtomic) hand_over(address, access.block);
  if (const auto conflict = global_history_.add(address, size, access, acquired_)) {
    report_race(*conflict, address, size, "device memory");
  }
}

void Checker::hand_over(Address address, std::int32_t block) {
  std::vector<std::int32_t>& released = released_[address];
  acquired_.insert(released.begin(), released.end());
  if (has_fenced_ && (released.empty() || released.back() != block)) released.push_back(block);
}

void Checker::note_shared_variable(Address address) {
  if (last_shared_.contains(address, 1)) return;
  const auto* variable = shared_variables().holding(address - thread_local_memory_.begin);
  if (variable == nullptr) return;
  const Address begin = thread_local_memory_.begin + variable->first;
  last_shared_ = {begin, begin + variable->second.bytes};
  if (!used_shared_.insert(begin).second) return;
  used_shared_bytes_ += variable->second.bytes;
  if (std::string why = refusal_of_static_shared(*launch_, used_shared_bytes_); !why.empty()) {
    stop(std::move(why));
  }
}

void Checker::check_shared(Address address, std::size_t size, const Access& access) {
  if (thread_local_memory_.contains(address, size)) note_shared_variable(address);
  if (access.kind != AccessKind::kWrite && !unwritten_read_ &&
      !shared_history_.was_written(address, size)) {
    const std::string name = name_of(address);
    unwritten_read_ =
        "shared memory" + (name.empty() ? "" : ", " + name + ",") +
        " is read, and no thread of the block has written it\n" + who(access) +
        " reads it. On a GPU it holds whatever was there before. Write it first, and put a barrier "
        "between.";
  }
  if (const auto conflict = shared_history_.add(address, size, access)) {
    report_race(*conflict, address, size, "shared memory");
  }
}

void Checker::report_race(const Conflict& conflict, Address address, std::size_t size,
                          const char* space) {
  if (conflict.earlier.kind != AccessKind::kWrite || conflict.later.kind != AccessKind::kWrite) {
    report([&] { return explain_race(conflict, address, space); });
    return;
  }
  const auto* memory = reinterpret_cast<const std::byte*>(address);
  unsettled_ = {conflict, address, space, {memory, memory + size}};
}

void Checker::settle_writes() {
  if (!unsettled_) return;
  const UnsettledWrites writes = *std::exchange(unsettled_, std::nullopt);
  const auto* memory = reinterpret_cast<const void*>(writes.address);
  if (std::memcmp(memory, writes.before.data(), writes.before.size()) == 0) return;
  report([&] { return explain_race(writes.conflict, writes.address, writes.space); });
}

std::string Checker::who(const Access& access) const {
  return "block " + index_text(unfold(access.block, launch_->grid)) + " thread " +
         index_text(unfold(access.thread, launch_->block)) + " at " + source_line(access.place);
}

// Terms that a grader can translate into those of the exercise: it knows the name, rows and columns
// of each argument.
std::string Checker::name_of(Address address) const {
  if (const Buffer* buffer = buffers_.holding(address)) {
    return "byte " + std::to_string(address - buffer->range.begin) + " of " + origin(*buffer);
  }
  if (dynamic_shared_.contains(address, 1)) {
    return "byte " + std::to_string(address - dynamic_shared_.begin) +
           " of the shared memory that the launch requests";
  }
  const bool is_shared = thread_local_memory_.contains(address, 1);
  const Address place = is_shared ? address - thread_local_memory_.begin : address;
  const auto* variable = (is_shared ? shared_variables() : static_variables()).holding(place);
  if (variable == nullptr) return {};
  return element_name(variable->second, place - variable->first);
}

std::string Checker::explain_stray(Address address, std::size_t size, const Access& access) const {
  const std::string below =
      "\n" + who(access) + " " + verb(access.kind) + " " + bytes_text(size) + " there. ";
  if (address < 4096) {
    return "access through a null pointer" + below +
           "Was the buffer allocated, and passed? That of a buffer without elements is null, too.";
  }
  const Buffer* buffer = buffers_.holding(address);
  if (buffer == nullptr) buffer = buffers_.near(address, kReach);
  const bool is_near = buffer != nullptr && (address >= buffer->range.end
                                                 ? address - buffer->range.end < kGuardBytes
                                                 : buffer->range.begin - address < kGuardBytes ||
                                                       address >= buffer->range.begin);
  if (buffer == nullptr) {
    return "access outside any buffer, to memory that is not a device buffer" + below +
           "Was host memory passed to the kernel? Copy it to a gpu::DeviceBuffer.";
  }
  const auto offset = static_cast<std::int64_t>(address - buffer->range.begin);
  const auto signed_size = static_cast<std::int64_t>(size);
  const std::int64_t index =
      offset >= 0 ? offset / signed_size : -((-offset + signed_size - 1) / signed_size);
  const std::size_t bytes = buffer->range.end - buffer->range.begin;
  // Either the index is right and the type too wide, so that only part of what it reads is in the
  // buffer, or the buffer is not an array of that type.
  const bool is_partly_inside = offset >= 0 && static_cast<std::size_t>(offset) < bytes;
  const bool is_too_wide = bytes > 0 && (bytes < size || offset % signed_size != 0);
  if (is_partly_inside || (is_near && offset > 0 && is_too_wide)) {
    return "access outside of a buffer: " + bytes_text(size) + " are " + participle(access.kind) +
           " at byte " + std::to_string(offset) + " of " + origin(*buffer) +
           ", and it ends after " + bytes_text(bytes) + below +
           "Use a wide type only where all of its bytes are inside, at a multiple of its size, and "
           "single elements elsewhere.";
  }
  const std::string element = "index " + std::to_string(index) + " of " + origin(*buffer);
  const std::string holds = "it holds " + std::to_string(bytes / size) +
                            (bytes / size == 1 ? " element" : " elements") + " of " +
                            bytes_text(size);
  const bool is_one_dimensional = launch_->grid.y == 1 && launch_->block.y == 1 &&
                                  launch_->grid.z == 1 && launch_->block.z == 1;
  if (!is_near) {
    return "access outside any buffer, to memory that is not a device buffer" + below +
           "If it was meant for " + element + ": " + holds + ".";
  }
  return "access outside of a buffer: " + element + ", and " + holds + below +
         (offset < 0           ? "The index is negative: check its lower end."
          : is_one_dimensional ? "Guard the index with `if (i < n)`, or correct it."
                               : "Guard each coordinate with its own bound, or correct the index.");
}

std::string Checker::explain_misaligned(Address address, std::size_t size, const Access& access,
                                        std::size_t alignment) const {
  const std::string name = name_of(address);
  return "misaligned address: " + std::to_string(size) + " bytes at once" +
         (name.empty() ? "" : ", beginning at " + name + ",") +
         " where a GPU needs a multiple of " + std::to_string(alignment) + "\n" + who(access) +
         " " + verb(access.kind) +
         " them. A GPU stops the kernel. Use the wide type only where the first index is a "
         "multiple of its elements, and single elements elsewhere.";
}

std::string Checker::explain_race(const Conflict& conflict, Address address,
                                  const char* space) const {
  const bool same_block = conflict.earlier.block == conflict.later.block;
  const bool both_write =
      conflict.earlier.kind == AccessKind::kWrite && conflict.later.kind == AccessKind::kWrite;
  const bool lost_update = conflict.read_before != 0 &&
                           source_line(conflict.read_before) == source_line(conflict.earlier.place);
  std::string what = "two blocks use it, and blocks run in no order";
  std::string remedy = both_write ? "Give each element to one block, or join their parts with an "
                                    "atomic or another launch."
                                  : "Use an atomic or another launch.";
  if (lost_update) {
    what = "two threads update it at once, and one update is lost";
    remedy = "Use atomicAdd(), or give each thread its own element.";
  } else if (same_block && both_write) {
    what = "two threads write it with no barrier between";
    remedy =
        "If only one of them should, correct the index or its guard; if both should, put "
        "__syncthreads() between the two.";
  } else if (same_block) {
    what = "two threads use it with no barrier between";
    remedy = "Put __syncthreads() between the two.";
  }
  const std::string name = name_of(address);
  return std::string(lost_update ? "missing atomic" : "data race") + " in " + space +
         (name.empty() ? "" : ", " + name) + ": " + what + "\n" + who(conflict.earlier) + " " +
         verb(conflict.earlier.kind) + " it, and " + who(conflict.later) + " " +
         verb(conflict.later.kind) + " it. " + remedy;
}

}  // namespace gpu::cpu::check

gpu::cpu::Observer& gpu::cpu::observer_of_checked_kernels() noexcept {
  return check::Checker::instance();
}

namespace gpu {

namespace {

/// Runs a function in its destructor, so also when an exception propagates.
template <class Action>
class AtEnd {
 public:
  explicit AtEnd(Action action) : action_(std::move(action)) {}
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;
  ~AtEnd() { action_(); }

 private:
  Action action_;
};

DeviceProperties described_by(const vgpu::Geometry& geometry) {
  DeviceProperties device;
  device.name = geometry.machine;
  device.architecture = "virtual";
  device.multiprocessors = geometry.multiprocessors;
  device.warp_width = geometry.lanes;
  device.max_threads_per_block = current_device().max_threads_per_block;
  device.memory_bytes = current_device().memory_bytes;  // buffers live in this machine's memory
  device.l2_bytes = static_cast<std::size_t>(geometry.l2_bytes);
  device.shared_bytes_per_block = current_device().shared_bytes_per_block;
  device.shared_bytes_per_block_optin =
      static_cast<std::size_t>(geometry.shared_bytes - geometry.shared_bytes_reserved);
  device.caches = {{2, static_cast<double>(geometry.l2_bytes), geometry.multiprocessors}};
  return device;
}

}  // namespace

void imitate(const vgpu::Geometry& geometry) {
  cpu::describe_device(described_by(geometry));
  ::setenv("ROOFLINE_WARP_WIDTH", std::to_string(geometry.lanes).c_str(), 1);
}

Counts count(const std::function<void()>& launches, TrafficByName* by_name) {
  cpu::check::Checker& checker = cpu::check::Checker::instance();
  cpu::check::Traffic traffic;
  cpu::check::Traffic* const outer = checker.count_into(&traffic);
  const AtEnd restore([&] { checker.count_into(outer); });
  launches();
  checker.check_seal();
  if (by_name != nullptr) *by_name = traffic.by_name();
  return traffic.result();
}

vgpu::Profile profile(const vgpu::Geometry& geometry, int registers_per_thread,
                      const std::function<void()>& launches, double most_accesses) {
  cpu::check::Checker& checker = cpu::check::Checker::instance();
  cpu::check::LaunchProfiler profiler(geometry, registers_per_thread, most_accesses);
  const std::optional<DeviceProperties> before = cpu::describe_device(described_by(geometry));
  checker.profile_into(&profiler);
  const AtEnd restore([&] {
    checker.profile_into(nullptr);
    cpu::describe_device(before);
  });
  launches();
  checker.check_seal();
  return profiler.result();
}

void tally(std::uint64_t Counts::*field) {
  cpu::check::Checker& checker = cpu::check::Checker::instance();
  if (checker.in_kernel() && checker.traffic() != nullptr) ++(checker.traffic()->counts().*field);
}

}  // namespace gpu
