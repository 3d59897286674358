// SPDX-License-Identifier: MIT
// Switches between the threads of a block and decides when each can continue.
#include "block_scheduler.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "gpu/cpu/observer.hpp"
#include "gpu/error.hpp"
#include "sanitizer_fibers.hpp"

namespace gpu::cpu {
namespace {

constexpr std::uint64_t bit(int lane) {
  return std::uint64_t{1} << lane;
}
// The lowest `count` bits; count may be 64.
constexpr std::uint64_t low_bits(int count) {
  return count >= 64 ? ~0ull : bit(count) - 1;
}

Index3 as_index(dim3 extent) {
  return index3(static_cast<int>(extent.x), static_cast<int>(extent.y), static_cast<int>(extent.z));
}

bool same_place(SourceLocation a, SourceLocation b) {
  return a.line == b.line && a.file == b.file;
}

}  // namespace

std::string to_string(const Index3& index) {
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
         std::to_string(index.z) + ")";
}

BlockScheduler& BlockScheduler::of_this_thread() {
  static thread_local BlockScheduler scheduler;
  return scheduler;
}

// The scheduler whose kernel this operating system thread is running. Every barrier reads it with
// one load, where of_this_thread() would check each time whether the scheduler exists.
namespace {
constinit thread_local BlockScheduler* running_scheduler = nullptr;
}  // namespace

BlockScheduler::BlockScheduler()
    : collective_(kMaxThreads), site_(kMaxThreads), fiber_(kMaxThreads) {}

BlockScheduler::~BlockScheduler() {
  stopping_ = true;
  for (auto& fiber : parked_) resume(std::move(fiber));
}

int BlockScheduler::thread() const noexcept {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

int BlockScheduler::lane() const noexcept {
  return thread() % width_;
}

void BlockScheduler::run(const KernelLaunch& launch, BlockRange range) {
  launch_ = &launch;
  running_scheduler = this;
  next_block_ = -1;
  observer_ = observer();
  width_ = warpSize = launch.warp_width;
  blockDim = as_index(launch.block);
  gridDim = as_index(launch.grid);
  threads_ = blockDim.x * blockDim.y * blockDim.z;
  warps_ = (threads_ + width_ - 1) / width_;
  provide_shared_memory(launch.shared_bytes);
  boost::context::fiber block_loop(std::allocator_arg, FiberStackAllocator(stacks_),
                                   [&](boost::context::fiber&& from) {
                                     home_ = arrived_from(std::move(from));
                                     run_block_loop(range);
                                     return leave_for(std::move(home_));
                                   });
  Fiber fiber = new_fiber(std::move(block_loop), stacks_.last_taken());
  const FiberIdentity identity = fiber.identity;
  resume(std::move(fiber));
  forget_fiber(identity);
  launch_ = nullptr;
  running_scheduler = nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void* BlockScheduler::provide_shared_memory(std::size_t bytes) {
  shared_.resize((bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
  return shared_.data();
}

void BlockScheduler::prepare_block(std::int64_t block) {
  if (block != next_block_) {
    const std::int64_t row = block / gridDim.x;
    blockIdx = index3(static_cast<int>(block - row * gridDim.x), static_cast<int>(row % gridDim.y),
                      static_cast<int>(row / gridDim.y));
  } else if (++blockIdx.x == gridDim.x) {
    blockIdx.x = 0;
    if (++blockIdx.y == gridDim.y) {
      blockIdx.y = 0;
      ++blockIdx.z;
    }
  }
  next_block_ = block + 1;
  if (observer_ != nullptr) observer_->block_begins();
  split_ = false;
  running_ = kFreshLoop;
  fresh_index_ = index3(0, 0, 0);
}

// The first thread of the block that has to wait creates the fibers' bookkeeping.
void BlockScheduler::split_block() {
  split_ = true;
  for (int warp = 0; warp < warps_; ++warp) {
    warp_[warp] = {.exists = low_bits(std::min(width_, threads_ - warp * width_))};
  }
  started_ = current_warp_ = waiting_ = votes_ = 0;
  barriers_differ_ = false;
}

void BlockScheduler::run_block_loop(BlockRange range) {
  for (std::int64_t block = range.begin; block < range.end && !failure_; ++block) {
    prepare_block(block);
    run_thread_loop();
    if (!split_) continue;
    if (const int next = pick_next(); next != kBlockLoop) switch_to(next, block_loop_);
  }
}

// The threads from started_ up to `end` have finished without waiting.
void BlockScheduler::mark_passed(int end) {
  for (int warp = started_ / width_; warp * width_ < end; ++warp) {
    const std::uint64_t below_start = low_bits(std::max(0, started_ - warp * width_));
    const std::uint64_t below_end = low_bits(std::min(width_, end - warp * width_));
    warp_[warp].done |= below_end & ~below_start;
  }
  started_ = end;
}

// Runs threads from fresh_index_ on: to the end of the block or, if one of them blocks and takes
// over this fiber, to the end of that thread.
void BlockScheduler::run_thread_loop() {
  threadIdx = fresh_index_;
  thread_limit = blockDim;
  try {
    if (observer_ != nullptr) observer_->enter_kernel_code();
    launch_->run_threads(launch_->arguments);
  } catch (const BlockAborted&) {
  } catch (...) {
    fail(std::current_exception());
  }
  if (observer_ != nullptr) observer_->leave_kernel_code();
  if (running_ >= 0) {
    warp_[running_ / width_].done |= bit(running_ % width_);
    return;
  }
  if (split_) mark_passed(threads_);
}

boost::context::fiber BlockScheduler::serve_fresh_loops(boost::context::fiber&& from) {
  *resumer_slot_ = arrived_from(std::move(from));
  while (true) {
    running_ = kFreshLoop;
    run_thread_loop();
    Fiber next = take_fiber(pick_next());
    parked_.emplace_back();
    Fiber resumer = resume_from(parked_.back(), std::move(next));
    if (stopping_) return leave_for(std::move(resumer));
    *resumer_slot_ = std::move(resumer);
  }
}

Fiber BlockScheduler::take_fiber_of_loop(int next) {
  if (next == kBlockLoop) return std::move(block_loop_);
  if (parked_.empty()) {
    boost::context::fiber fresh(
        std::allocator_arg, FiberStackAllocator(stacks_),
        [this](boost::context::fiber&& from) { return serve_fresh_loops(std::move(from)); });
    return new_fiber(std::move(fresh), stacks_.last_taken());
  }
  Fiber fiber = std::move(parked_.back());
  parked_.pop_back();
  return fiber;
}

inline Fiber BlockScheduler::take_fiber(int next) {
  return next >= 0 ? std::move(fiber_[next]) : take_fiber_of_loop(next);
}

// A resumed fiber is given its resumer, and must store it where the resumer asked.
[[gnu::always_inline]] inline Fiber BlockScheduler::resume_from(Fiber& own_slot, Fiber&& next) {
  resumer_slot_ = &own_slot;
  return resume(std::move(next));
}

[[gnu::always_inline]] inline void BlockScheduler::switch_to(int next, Fiber& own_slot) {
  Fiber resumer = resume_from(own_slot, take_fiber(next));
  *resumer_slot_ = std::move(resumer);
}

inline void BlockScheduler::adopt_current_thread() {
  if (observer_ != nullptr) observer_->leave_kernel_code();
  if (running_ < 0) begin_fiber();
}

// The running thread waits for the first time.
void BlockScheduler::begin_fiber() {
  if (!split_) split_block();
  running_ = thread();
  if (started_ < running_) mark_passed(running_);
  started_ = running_ + 1;
  current_warp_ = running_ / width_;
  fresh_index_ = threadIdx;
  ++fresh_index_.x;
}

[[gnu::always_inline]] inline void BlockScheduler::suspend_current_thread() {
  const int own = running_;
  const Index3 own_index = threadIdx;
  if (const int next = pick_next(); next != own) switch_to(next, fiber_[own]);
  running_ = own;
  threadIdx = own_index;
  thread_limit = index3(own_index.x + 1, own_index.y + 1, own_index.z + 1);
  if (failure_) throw BlockAborted{};
  if (observer_ != nullptr) observer_->enter_kernel_code();
}

// The next thread that can run, preferably one of the same warp, whose data is in cache.
inline int BlockScheduler::pick_next() {
  Warp& warp = warp_[current_warp_];
  if (warp.ready == 0) return search_next();
  const int lane = std::countr_zero(warp.ready);
  warp.ready &= warp.ready - 1;
  return current_warp_ * width_ + lane;
}

int BlockScheduler::search_next() {
  while (true) {
    for (int step = 0; step < warps_; ++step) {
      int number = current_warp_ + step;
      if (number >= warps_) number -= warps_;
      Warp& warp = warp_[number];
      const int first = number * width_;
      const bool has_fresh = started_ < threads_ && started_ >= first && started_ < first + width_;
      if (warp.ready == 0 && has_fresh && !failure_) {
        current_warp_ = number;
        return kFreshLoop;
      }
      if (warp.ready == 0 && warp.at_collective != 0 && !failure_) release_warp(number);
      if (warp.ready != 0) {
        current_warp_ = number;
        return pick_next();
      }
    }
    if (!release_block()) return kBlockLoop;
    current_warp_ = 0;
  }
}

inline int BlockScheduler::block_barrier(bool predicate, SourceLocation where) {
  adopt_current_thread();
  site_[running_] = where;
  if (waiting_ == 0) {
    barrier_site_ = where;
  } else if (!same_place(where, barrier_site_)) {
    barriers_differ_ = true;
  }
  ++waiting_;
  votes_ += predicate ? 1 : 0;
  warp_[current_warp_].at_barrier |= bit(running_ - current_warp_ * width_);
  suspend_current_thread();
  return vote_result_;
}

void BlockScheduler::refuse_lane(int lane, SourceLocation where) {
  fail("lane " + std::to_string(lane) + " calls a warp operation whose mask leaves it out; " +
           (lane >= 32 ? "with warps of 64 lanes a 32-bit mask names only half of them; use "
                         "gpu::kFullMask"
                       : "every calling lane must be in the mask"),
       where);
  throw BlockAborted{};
}

inline std::uint64_t BlockScheduler::warp_collective(std::uint64_t mask, WarpOperation operation,
                                                     std::uint64_t value, int source,
                                                     SourceLocation where) {
  adopt_current_thread();
  const int own = running_;
  const int lane = own - current_warp_ * width_;
  if ((mask & bit(lane)) == 0) refuse_lane(lane, where);
  collective_[own] = {
      .mask = mask, .value = value, .result = 0, .source = source, .operation = operation};
  site_[own] = where;
  warp_[current_warp_].at_collective |= bit(lane);
  suspend_current_thread();
  return collective_[own].result;
}

// Releases lanes that wait for each other once all of them have arrived.
void BlockScheduler::release_warp(int number) {
  Warp& warp = warp_[number];
  if (tell_who_is_here(number)) return;
  for (std::uint64_t left = warp.at_collective; left != 0 && !failure_;) {
    const int lane = std::countr_zero(left);
    const std::uint64_t mask = collective_[number * width_ + lane].mask;
    const std::uint64_t group = mask & warp.exists & ~warp.done;
    left &= ~group;
    if ((group & ~warp.at_collective) != 0) continue;
    complete_collective(number, lane, group);
    if (observer_ != nullptr && group == (warp.exists & ~warp.done)) observer_->warp_met(number);
    warp.at_collective &= ~group;
    warp.ready |= group;
  }
}

// Gives the first lanes that ask in one place their mask, and releases them; false if none asks.
bool BlockScheduler::tell_who_is_here(int number) {
  Warp& warp = warp_[number];
  const int first = number * width_;
  int leader = -1;
  std::uint64_t here = 0;
  for (std::uint64_t left = warp.at_collective; left != 0; left &= left - 1) {
    const int thread = first + std::countr_zero(left);
    if (collective_[thread].operation != WarpOperation::kWhoIsHere) continue;
    if (leader < 0) leader = thread;
    if (same_place(site_[thread], site_[leader])) here |= bit(thread - first);
  }
  for (std::uint64_t left = here; left != 0; left &= left - 1) {
    collective_[first + std::countr_zero(left)].result = here;
  }
  warp.at_collective &= ~here;
  warp.ready |= here;
  return here != 0;
}

void BlockScheduler::complete_collective(int number, int leader, std::uint64_t group) {
  const int first = number * width_;
  const Collective& model = collective_[first + leader];
  const std::uint64_t exists = warp_[number].exists;
  std::uint64_t ballot = 0;
  for (std::uint64_t left = group; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const Collective& own = collective_[first + lane];
    if (((own.mask ^ model.mask) & exists) != 0 || own.operation != model.operation ||
        (own.operation != WarpOperation::kSync &&
         !same_place(site_[first + lane], site_[first + leader]))) {
      return fail("lanes " + std::to_string(leader) + " and " + std::to_string(lane) +
                      " of a warp meet in different warp operations or with different masks (the "
                      "other one is at " +
                      place_of(site_[first + lane]) +
                      "); all lanes named in the mask must execute the same one",
                  site_[first + leader]);
    }
    if (own.value != 0) ballot |= bit(lane);
  }
  for (std::uint64_t left = group; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    Collective& own = collective_[first + lane];
    if (own.operation == WarpOperation::kVote) own.result = ballot;
    if (own.operation != WarpOperation::kShuffle) continue;
    if (own.source < 0 || own.source >= width_ || (group & bit(own.source)) == 0) {
      return fail(describe_bad_source(number, lane), site_[first + lane]);
    }
    own.result = collective_[first + own.source].value;
  }
}

std::string BlockScheduler::describe_bad_source(int number, int lane) const {
  const Warp& warp = warp_[number];
  const int source = collective_[number * width_ + lane].source;
  const bool inside = source >= 0 && source < width_;
  const char* reason = !inside || (warp.exists & bit(source)) == 0 ? "which the block does not have"
                       : (warp.done & bit(source)) != 0            ? "which has left the kernel"
                                                                   : "which the mask does not name";
  return "lane " + std::to_string(lane) + " of warp " + std::to_string(number) +
         " shuffles a value from lane " + std::to_string(source) + ", " + reason +
         "; on a GPU the value is undefined";
}

// Called when no thread can run: opens the barrier, or finds out why it stays closed. Returns false
// when all threads are done.
bool BlockScheduler::release_block() {
  bool somebody_waits = false;
  for (int number = 0; number < warps_; ++number) {
    somebody_waits |= (warp_[number].at_barrier | warp_[number].at_collective) != 0;
  }
  if (!somebody_waits) return false;
  if (!failure_ && (waiting_ != threads_ || barriers_differ_)) {
    fail(describe_divergence(), waiting_ > 0 ? barrier_site_ : SourceLocation{});
  }
  for (int number = 0; number < warps_; ++number) {
    Warp& warp = warp_[number];
    warp.ready = warp.at_barrier | warp.at_collective;
    warp.at_barrier = warp.at_collective = 0;
  }
  waiting_ = 0;
  barriers_differ_ = false;
  if (observer_ != nullptr) observer_->block_met();
  vote_result_ = std::exchange(votes_, 0);
  return true;
}

void BlockScheduler::fail(std::exception_ptr why) {
  if (!failure_) failure_ = std::move(why);
}

void BlockScheduler::fail(const std::string& explanation, SourceLocation where) {
  std::string text = explanation + "\nin block " + to_string(blockIdx);
  if (where.line != 0) text += " at " + place_of(where);
  fail(std::make_exception_ptr(Error({.expression = "launch<" + std::string(launch_->name) + ">",
                                      .where = launch_->where,
                                      .driver_message = text,
                                      .kernel = std::string(launch_->name)})));
}

std::string BlockScheduler::describe_divergence() const {
  std::string text;
  const auto add = [&](const std::string& threads, const char* one, const char* many,
                       const std::string& what) {
    if (threads.empty()) return;
    text += (text.empty() ? "" : " ") + threads + " " +
            (threads.starts_with("thread ") ? one : many) + " " + what + ";";
  };
  for (int thread = 0; thread < threads_; ++thread) {
    const auto set = [&](std::uint64_t Warp::*which) {
      return (warp_[thread / width_].*which & bit(thread % width_)) != 0;
    };
    const bool first_here = [&] {
      for (int earlier = 0; earlier < thread; ++earlier) {
        const bool waits =
            ((warp_[earlier / width_].at_barrier | warp_[earlier / width_].at_collective) &
             bit(earlier % width_)) != 0;
        if (waits && same_place(site_[earlier], site_[thread])) return false;
      }
      return true;
    }();
    if (set(&Warp::at_barrier) && first_here) {
      add(list_waiting_at(site_[thread]), "waits", "wait",
          "at the barrier " + place_of(site_[thread]));
    }
    if (set(&Warp::at_collective) && first_here) {
      add(list_waiting_at(site_[thread]), "waits", "wait",
          "in a warp operation " + place_of(site_[thread]));
    }
  }
  add(list_threads(
          [&](int thread) { return (warp_[thread / width_].done & bit(thread % width_)) != 0; }),
      "has", "have", "left the kernel");
  text.back() = '.';
  return "not all threads of the block reach the same barrier\n" + text +
         " Move the barrier out of the condition, or let every thread reach it.";
}

std::string BlockScheduler::list_waiting_at(SourceLocation where) const {
  return list_threads([&](int thread) {
    const Warp& warp = warp_[thread / width_];
    return ((warp.at_barrier | warp.at_collective) & bit(thread % width_)) != 0 &&
           same_place(site_[thread], where);
  });
}

// "threads 0-31, 40" or "thread 5" for the threads that `belongs` holds for.
std::string BlockScheduler::list_threads(const std::function<bool(int)>& belongs) const {
  constexpr int kMostRanges = 6;
  std::string text;
  int ranges = 0;
  int count = 0;
  for (int thread = 0; thread < threads_; ++thread) {
    if (!belongs(thread)) continue;
    const int first = thread;
    while (thread + 1 < threads_ && belongs(thread + 1)) ++thread;
    if (++ranges > kMostRanges) return text + " and more";
    text += (ranges == 1 ? "threads " : ", ") + std::to_string(first);
    if (thread > first) text += "-" + std::to_string(thread);
    count += thread - first + 1;
  }
  if (count == 1) text.erase(text.find('s'), 1);  // a single thread
  return text;
}

// The interface that kernels call.

int block_barrier(bool predicate, SourceLocation where) {
  return running_scheduler->block_barrier(predicate, where);
}

std::uint64_t warp_collective(std::uint64_t mask, WarpOperation operation, std::uint64_t value,
                              int source, SourceLocation where) {
  return running_scheduler->warp_collective(mask, operation, value, source, where);
}

int lane_index() noexcept {
  return running_scheduler->lane();
}

void* dynamic_shared_memory() noexcept {
  return running_scheduler->shared_memory();
}

}  // namespace gpu::cpu

#ifdef GPU_ADDRESS_SANITIZER
// Keeps local variables on the stack of their fiber. To detect uses after a return, newer runtimes
// would move them to the heap, where the end of a fiber does not find them and counting numbers
// cannot tell a local variable from device memory.
extern "C" const char* __asan_default_options() {
  return "detect_stack_use_after_return=0";
}
#endif
