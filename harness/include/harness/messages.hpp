// SPDX-License-Identifier: MIT
// The messages between the grader and a lab program. A request is a verb and its fields; a reply is
// "ok" and its fields, ("unsolved", exercise, section), or ("error", text). Both sides encode and
// decode only with the structs below.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/channel.hpp"
#include "harness/element.hpp"
#include "harness/struct_value.hpp"
#include "harness/task.hpp"
#include "harness/value.hpp"

namespace harness::message {

/// The reply to a request that returns nothing.
struct Done {};

/// A parameter of a lab's entry.
struct Parameter {
  bool is_buffer = false;
  bool is_writable = false;
  Element element = Element::kF64;
};
struct LabDescription {
  std::string name;
  std::vector<Parameter> parameters;
};
struct FunctionDescription {
  std::string name;
  std::int64_t parameters = 0;
};
struct HelloReply {
  std::int64_t version = kProtocolVersion;
  std::string backend = "none";
  std::string device;  ///< empty when the backend's device is missing
  std::string compiler;
  std::vector<LabDescription> labs;
  std::vector<FunctionDescription> functions;
  double free_bytes = 0;  ///< device memory that can still be allocated
};
struct Hello {
  static constexpr const char* kVerb = "hello";
  using Reply = HelloReply;
  std::int64_t version = kProtocolVersion;
};

/// An argument of a call: the bits of a scalar, or the location of a buffer and its guard zones in
/// shared memory, in bytes; `first` and `count` are in elements.
struct LoadedArgument {
  bool is_buffer = false;
  std::int64_t bits = 0;
  std::int64_t bytes = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t initial = 0;
  std::int64_t result = 0;
};
/// Creates a slot: an entry with arguments, as a copy of slot `like` unless that is negative. The
/// shared memory is attached to the message.
struct Load {
  static constexpr const char* kVerb = "load";
  using Reply = Done;
  std::int64_t slot = 0;
  std::string entry;
  std::vector<LoadedArgument> arguments;
  std::int64_t like = -1;
};
struct Reset {
  static constexpr const char* kVerb = "reset";
  using Reply = Done;
  std::int64_t slot = 0;
};
/// Runs slots one after another, and waits for the device.
struct Run {
  static constexpr const char* kVerb = "run";
  using Reply = Done;
  std::vector<std::int64_t> slots;
};
/// Copies results to shared memory.
struct Fetch {
  static constexpr const char* kVerb = "fetch";
  using Reply = Done;
  std::int64_t slot = 0;
};
struct Drop {
  static constexpr const char* kVerb = "drop";
  using Reply = Done;
  std::int64_t slot = 0;
};

struct Counter {
  std::string name;
  double count = 0;
};
struct Counts {
  std::vector<Counter> counters;
};
struct Count {
  static constexpr const char* kVerb = "count";
  using Reply = Counts;
  std::int64_t slot = 0;
};

/// A text: a profile as JSON, or bytes.
struct Text {
  std::string text;
};
/// Runs a slot on a virtual GPU of this geometry. Geometry and reply are JSON.
struct ProfileRun {
  static constexpr const char* kVerb = "profile";
  using Reply = Text;
  std::int64_t slot = 0;
  std::string geometry;
};
/// Elements of a buffer, read in place, as bytes.
struct Peek {
  static constexpr const char* kVerb = "peek";
  using Reply = Text;
  std::int64_t slot = 0;
  std::int64_t argument = 0;
  std::vector<std::int64_t> elements;
};

/// Replies of a function, one per list of arguments: ("ok", value), ("unsolved", ...) or ("error",
/// text).
struct Replies {
  std::vector<Value> replies;
};
struct Call {
  static constexpr const char* kVerb = "call";
  using Reply = Replies;
  std::string function;
  std::vector<Value> argument_lists;
};

struct NamedNumber {
  std::string name;
  double value = 0;
};
struct ReferenceValue {
  double value = 0;
  std::string unit;
  std::string word;
};
struct AskAnswer {
  static constexpr const char* kVerb = "answer";
  using Reply = ReferenceValue;
  std::string id;
  std::vector<NamedNumber> parameters;
  std::string machine_file;
};

struct NamedExtent {
  std::string name;
  std::int64_t extent = 0;
};
/// An argument as a common mistake would leave it: offsets in shared memory, in bytes.
struct MistakenPart {
  std::int64_t value = -1;
  std::int64_t scale = -1;
  std::string cause;
};
/// An argument of a problem: the bits of a scalar, or where its contents lie in shared memory, in
/// bytes; negative for a part that it lacks.
struct ProblemPart {
  bool is_buffer = false;
  Element element = Element::kF64;
  Role role = Role::kInput;
  std::int64_t bits = 0;
  std::int64_t count = 0;
  std::int64_t initial = -1;
  std::int64_t expected = -1;
  std::int64_t scale = -1;
  std::int64_t also = -1;
  std::vector<NamedExtent> axes;
  std::vector<MistakenPart> mistakes;
};
struct ProblemLayout {
  double flops = 0;
  double bytes_moved = 0;
  std::int64_t shared_bytes = 0;  ///< memory that CopyProblem needs
  std::vector<ProblemPart> parts;
  std::vector<CountLimit> limits;
};
struct MakeProblem {
  static constexpr const char* kVerb = "task";
  using Reply = ProblemLayout;
  std::string oracle;
  std::int64_t n = 0;
  std::uint64_t seed = 0;
  bool special_values = false;
};
/// Copies the contents of the last problem into the attached shared memory.
struct CopyProblem {
  static constexpr const char* kVerb = "task-copy";
  using Reply = Done;
};

/// A word, followed by the fields of a struct.
template <class Message>
Value encode(const char* word, const Message& message) {
  Value::List items = to_value(message).list();
  items.insert(items.begin(), Value(word));
  return items;
}

/// A request, and its reply on success.
template <class Request>
Value encode_request(const Request& request) {
  return encode(Request::kVerb, request);
}
template <class Reply>
Value encode_reply(const Reply& reply) {
  return encode("ok", reply);
}

/// The fields after the first word. @throws ProtocolError for another shape.
template <class Message>
Message decode(Value value) {
  if (value.size() == 0) throw ProtocolError("an empty message");
  Value::List fields;
  for (std::size_t i = 1; i < value.size(); ++i) fields.push_back(std::move(value.at(i)));
  return from_value<Message>(Value(std::move(fields)));
}

}  // namespace harness::message
