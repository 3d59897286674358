// SPDX-License-Identifier: MIT
// Encoding of messages: a round trip preserves them, and garbage is refused.
#include "harness/value.hpp"

#include <cmath>
#include <limits>

#include "harness/random.hpp"
#include "support/catch.hpp"

using harness::ProtocolError;
using harness::Value;

TEST_CASE("a value survives the trip bit for bit", "[value]") {
  const Value value = Value::list("run", 3, -1.5, std::numeric_limits<double>::quiet_NaN(),
                                  Value::list("", Value()), std::string("a\0b", 3));
  const Value back = Value::decode(value.encode());
  CHECK(back == value);
  CHECK(back.at(0).text() == "run");
  CHECK(back.at(1).integer() == 3);
  CHECK(back.at(2).number() == -1.5);
  CHECK(std::isnan(back.at(3).number()));
  CHECK(back.at(5).text().size() == 3);
}

TEST_CASE("reading the wrong type is a protocol error", "[value]") {
  CHECK_THROWS_AS(Value("text").integer(), ProtocolError);
  CHECK_THROWS_AS(Value(1.5).integer(), ProtocolError);
  CHECK_THROWS_AS(Value(1).list(), ProtocolError);
  CHECK_THROWS_AS(Value::list(1).at(1), ProtocolError);
  CHECK(Value(2).number() == 2.0);
}

TEST_CASE("every truncation of a message is refused", "[value]") {
  const std::string bytes = Value::list("load", 1, Value::list(2.0, "x")).encode();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    INFO("length " << length);
    CHECK_THROWS_AS(Value::decode(bytes.substr(0, length)), ProtocolError);
  }
  CHECK_THROWS_AS(Value::decode(bytes + "x"), ProtocolError);
}

TEST_CASE("random bytes never do more than throw a protocol error", "[value]") {
  harness::Random random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes(static_cast<std::size_t>(random.integer(0, 40)), '\0');
    for (char& c : bytes) c = "dilt\0\1\xff"[random.integer(0, 6)];
    try {
      static_cast<void>(Value::decode(bytes));
    } catch (const ProtocolError&) {
    }
  }
  SUCCEED();
}

TEST_CASE("a list that claims to be huge is refused before memory is taken", "[value]") {
  std::string bytes = "l";
  bytes += std::string("\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
  CHECK_THROWS_AS(Value::decode(bytes), ProtocolError);
}

TEST_CASE("nesting beyond 32 is refused", "[value]") {
  Value value = 1;
  for (int depth = 0; depth < 40; ++depth) value = Value::list(value);
  CHECK_THROWS_AS(Value::decode(value.encode()), ProtocolError);
}
