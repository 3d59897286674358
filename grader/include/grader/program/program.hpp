// SPDX-License-Identifier: MIT
// A lab program driven by the grader: typed requests over the protocol.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/program/process.hpp"
#include "grader/timing/load.hpp"
#include "harness/channel.hpp"
#include "harness/compare.hpp"
#include "harness/entry.hpp"
#include "harness/messages.hpp"
#include "harness/random.hpp"
#include "harness/signing.hpp"
#include "harness/task.hpp"
#include "vgpu/profile.hpp"

namespace grader {

/// What a program says about itself. No verdict trusts it.
struct Hello {
  std::string backend;
  std::string device;  ///< empty when the backend's device is missing
  std::string compiler;
  std::vector<std::string> entries;
  std::vector<std::string> functions;
  double free_bytes = 0;  ///< device memory that can still be allocated
};

/// A reference value computed by the solutions.
struct ReferenceAnswer {
  double value = 0;
  std::string unit;
  std::string word;
};

/// One argument of a problem, its contents in shared memory.
struct ProblemArgument {
  bool is_buffer = false;
  harness::Element element = harness::Element::kF64;
  harness::Role role = harness::Role::kInput;
  std::int64_t bits = 0;
  std::size_t count = 0;
  std::span<const std::byte> initial;
  std::span<const double> expected;
  std::span<const double> scale;
  std::span<const double> also;
  std::vector<harness::Axis> axes;
  std::vector<harness::Mistake> mistakes;
};

/// A problem made by the trusted oracle program.
struct Problem {
  std::int64_t n = 0;
  std::uint64_t seed = 0;
  double flops = 0;
  double bytes_moved = 0;
  std::vector<ProblemArgument> arguments;
  std::vector<harness::CountLimit> limits;
  harness::SharedMemory memory;
};

/// The program's owner, who is at fault if it fails.
enum class Owner { kStudent, kCourse };

/// When a program's output is kept.
enum class Transcript { kAlways, kOfFailure };

/// A program started with --serve. Every call throws ChildFailure if a student's program fails, and
/// std::runtime_error if one of the course's does.
class Program {
 public:
  Program(const std::filesystem::path& path, const Limits& limits, Owner owner = Owner::kStudent);
  /// Starts `command`, whose last argument is --serve, possibly inside a sandbox.
  Program(const Command& command, const Limits& limits);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  Hello hello();
  ReferenceAnswer answer(const std::string& id,
                         const std::vector<std::pair<std::string, double>>& parameters,
                         const std::filesystem::path& machine_file);
  Problem make_problem(const std::string& oracle, std::int64_t n, std::uint64_t seed,
                       bool special_values);
  /// The replies to each list of arguments: ("ok", value), ("unsolved", ...), ("error", text).
  std::vector<harness::Value> call(const std::string& function,
                                   const std::vector<harness::Value>& argument_lists);
  /// The same for a prepared message::Call with `count` lists of arguments.
  std::vector<harness::Value> call(const harness::Value& request, std::size_t count);
  /// Sends a request of harness/messages.hpp, with a descriptor attached when it is not negative,
  /// and waits for its reply.
  template <class Request>
  typename Request::Reply ask(const Request& request, int attached = -1) {
    return decoded<typename Request::Reply>(
        exchange(harness::message::encode_request(request), attached));
  }
  /// Seconds from sending a request to its reply, on the grader's clock.
  template <class Request>
  double timed(const Request& request) {
    const harness::Value message = harness::message::encode_request(request);
    const auto start = Clock::now();
    exchange(message, -1);
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
  /// Restarts the time limit.
  void restart_clock() { child_->restart_clock(); }
  double seconds_used() const { return child_->seconds_used(); }
  std::string output() const { return child_->output(); }
  /// Source files that may define the program's entries, for the names of their parameters.
  void set_sources(std::vector<std::filesystem::path> sources) { sources_ = std::move(sources); }
  const std::vector<std::filesystem::path>& sources() const { return sources_; }
  /// The source's name for parameter `index` of `count` parameters of an entry; "argument 3" if no
  /// source defines the entry with that many parameters.
  std::string parameter_name(const std::string& entry, std::size_t index, std::size_t count) const;
  /// Where to store the program's output at the end. Output of a program that failed is not
  /// overwritten.
  void set_transcript(std::shared_ptr<std::string> transcript, Transcript when) {
    transcript_ = std::move(transcript);
    when_ = when;
  }
  /// Processor times of its threads so far.
  ProcessorTimes processor_times() const { return grader::processor_times(child_->family()); }
  void pause() { child_->pause(); }
  void resume() { child_->resume(); }

 private:
  /// Throws what a reply says if it is not "ok".
  void check_reply(const harness::Value& reply) const;
  /// The reply to a message, after checking that it is "ok".
  harness::Value exchange(const harness::Value& message, int attached);
  harness::Value exchange_with_student(const harness::Value& message, int attached);
  /// A reply of the wrong shape is the program's failure.
  template <class Reply>
  Reply decoded(harness::Value value) const {
    try {
      return harness::message::decode<Reply>(std::move(value));
    } catch (const harness::ProtocolError& error) {
      fail_to_decode(error);
    }
  }
  [[noreturn]] void fail_to_decode(const harness::ProtocolError& error) const;

  std::string name_;
  Owner owner_ = Owner::kStudent;
  std::unique_ptr<Child> child_;
  harness::Asker asker_;
  std::vector<std::filesystem::path> sources_;
  std::shared_ptr<std::string> transcript_;
  Transcript when_ = Transcript::kAlways;
  bool failed_ = false;
};

/// The arguments of a problem as one program sees them: private copies inside guard zones.
class Slot {
 public:
  /// Elements of the guard zone on each side of a buffer. Checked programs need none, because every
  /// access is checked.
  static constexpr std::size_t kGuardElements = 64;

  /// Copies the problem's inputs, poisons its outputs, and loads both into the program.
  Slot(Program& program, std::int64_t number, const std::string& entry, const Problem& problem,
       std::size_t guard_elements = kGuardElements);
  /// The same in another slot, before `like` has run: the program copies the inputs itself.
  Slot(const Slot& like, std::int64_t number);

  std::int64_t number() const { return number_; }
  void reset();
  /// Calls the entry once.
  void run();
  void fetch();
  /// Calls an entry once on counting numbers. Returns the counts by name.
  std::map<std::string, double> count();
  /// Calls the entry once on a virtual GPU (vgpu/profile.hpp) and returns its profile.
  vgpu::Profile profile(const vgpu::Geometry& geometry);
  void drop();
  /// Checks random elements of the outputs in place, without copying the rest. Returns what is
  /// wrong in words; empty if all are right.
  std::string peek(harness::Random& random, const harness::Tolerance& tolerance);

  /// After fetch(): what is wrong, in words with the first wrong elements; empty when all is right.
  std::string check(const harness::Tolerance& tolerance) const;

 private:
  struct Place {
    std::size_t bytes = 0;
    std::size_t initial = 0;
    std::size_t result = 0;
    std::vector<std::byte> guards;  ///< the surroundings; the program could change the shared copy
  };
  void plan();
  void load(std::int64_t like);
  void fill(std::uint64_t seed);
  std::string check_guards(std::size_t index) const;
  std::string check_content(std::size_t index, const harness::Tolerance& tolerance) const;
  /// The values of the integer arguments, which decide what a problem is like besides its size:
  /// rows and columns, steps, pages. Empty if there are none.
  std::string describe_integers() const;
  std::span<const std::byte> result_of(std::size_t index) const;
  std::string name_of(std::size_t index) const;
  /// The same failure with the names of arguments instead of their numbers, and the size.
  ChildFailure in_students_words(const ChildFailure& failure) const;
  /// Replaces an argument's number and byte offset by its name, row and column.
  void name_argument(std::string& text, std::size_t index) const;
  /// If the text mentions null pointers, names the arguments that have no elements.
  void name_empty_arguments(std::string& text) const;

  Program* program_;
  std::int64_t number_;
  std::string entry_;
  const Problem* problem_;
  std::size_t guard_elements_;
  std::vector<Place> places_;
  std::shared_ptr<harness::SharedMemory> memory_;
};

}  // namespace grader
