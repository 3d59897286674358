// SPDX-License-Identifier: MIT
// Both sides encode and decode messages with the same pair of functions.
#include "harness/messages.hpp"

#include "support/catch.hpp"

namespace message = harness::message;
using harness::Value;

TEST_CASE("a request is its verb and its fields") {
  const message::Load load{
      3, "saxpy", {{true, 0, 64, 1, 14, 0, 64}, {false, 7, 0, 0, 0, 0, 0}}, -1};
  const Value sent = Value::decode(message::encode_request(load).encode());
  CHECK(sent.at(0).text() == "load");
  CHECK(sent.at(1).integer() == 3);
  const auto received = message::decode<message::Load>(sent);
  CHECK(received.entry == "saxpy");
  REQUIRE(received.arguments.size() == 2);
  CHECK(received.arguments[0].is_buffer);
  CHECK(received.arguments[0].count == 14);
  CHECK(received.arguments[1].bits == 7);
  CHECK(received.like == -1);
}

TEST_CASE("replies keep their numbers bit for bit, and values as they are") {
  message::ProblemLayout layout{0.1, 1e300, 128, {}, {{"flops", 1, 2, 0.5}}};
  layout.parts.push_back({true,
                          harness::Element::kBf16,
                          harness::Role::kInOut,
                          0,
                          4,
                          0,
                          64,
                          -1,
                          -1,
                          {{"row", 2}, {"column", 2}},
                          {{64, -1, "halves swapped"}}});
  const auto read = message::decode<message::ProblemLayout>(
      Value::decode(message::encode_reply(layout).encode()));
  CHECK(read.flops == 0.1);
  CHECK(read.parts.at(0).element == harness::Element::kBf16);
  CHECK(read.parts.at(0).role == harness::Role::kInOut);
  CHECK(read.parts.at(0).axes.at(1).name == "column");
  CHECK(read.parts.at(0).mistakes.at(0).cause == "halves swapped");
  CHECK(read.limits.at(0).least == 0.5);
  const message::Replies replies{{Value::list("ok", 1.5), Value::list("error", "no")}};
  const auto back = message::decode<message::Replies>(message::encode_reply(replies));
  CHECK(back.replies.at(1) == Value::list("error", "no"));
  CHECK_NOTHROW(message::decode<message::Done>(message::encode_reply(message::Done{})));
}

TEST_CASE("what has another shape is refused") {
  CHECK_THROWS_AS(message::decode<message::Counts>(Value()), harness::ProtocolError);
  CHECK_THROWS_AS(message::decode<message::Counts>(Value("ok")), harness::ProtocolError);
  CHECK_THROWS_AS(message::decode<message::Counts>(Value::list("ok")), harness::ProtocolError);
  CHECK_THROWS_AS(
      message::decode<message::Counts>(Value::list("ok", Value::list(Value::list("x")))),
      harness::ProtocolError);
  CHECK_THROWS_AS(message::decode<message::ReferenceValue>(Value::list("ok", "1", "s", "")),
                  harness::ProtocolError);
}

TEST_CASE("a number that its field cannot hold is refused") {
  const auto parameter = [](std::int64_t is_buffer, std::int64_t element) {
    return harness::from_value<message::Parameter>(Value::list(is_buffer, 0, element));
  };
  CHECK(parameter(1, 1).element == harness::Element::kF32);
  CHECK_THROWS_AS(parameter(1, 12), harness::ProtocolError);
  CHECK_THROWS_AS(parameter(1, 256), harness::ProtocolError);
  CHECK_THROWS_AS(parameter(2, 1), harness::ProtocolError);
  CHECK_THROWS_AS(harness::from_value<std::int32_t>(Value(std::int64_t{1} << 32)),
                  harness::ProtocolError);
  CHECK(harness::from_value<std::int32_t>(Value(std::int64_t{-5})) == -5);
}
