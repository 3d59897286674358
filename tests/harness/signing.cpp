// SPDX-License-Identifier: MIT
// Which requests and replies are accepted.
#include "harness/signing.hpp"

#include "support/catch.hpp"

using harness::Asker;
using harness::ProtocolError;
using harness::Speaker;
using harness::Value;

namespace {

Value reply_to(const Asker& asker, std::int64_t number, const Value& reply) {
  return harness::signed_message(asker.key(), Speaker::kReplying, number, reply);
}

}  // namespace

TEST_CASE("a signed reply is believed, once and for its own request", "[signing]") {
  Asker asker;
  const Value done = Value::list("ok", 3);
  const Value first = asker.request(Value::list("run"));
  CHECK(checked_message(asker.key(), Speaker::kAsking, 1, first) == Value::list("run"));
  CHECK(asker.reply(reply_to(asker, 1, done)) == done);
  asker.request(Value::list("run"));
  CHECK_THROWS_AS(asker.reply(reply_to(asker, 1, done)), ProtocolError);  // the previous reply
  CHECK(asker.reply(reply_to(asker, 2, done)) == done);
}

TEST_CASE("what was not signed with the key is not believed", "[signing]") {
  Asker asker;
  const Asker another;
  const Value request = asker.request(Value::list("run"));
  const Value done = Value::list("ok");
  CHECK_THROWS_AS(asker.reply(reply_to(another, 1, done)), ProtocolError);
  CHECK_THROWS_AS(asker.reply(request), ProtocolError);  // its own request sent back
  CHECK_THROWS_AS(asker.reply(done), ProtocolError);
  CHECK_THROWS_AS(asker.reply(Value(Value::List{})), ProtocolError);
  CHECK_THROWS_AS(asker.reply(Value(1)), ProtocolError);
  // The same reply with one letter changed, or under another number.
  Value changed = reply_to(asker, 1, done);
  std::string bytes = changed.at(1).text();
  bytes.back() = 'j';
  changed.at(1) = Value(bytes);
  CHECK_THROWS_AS(asker.reply(changed), ProtocolError);
  changed = reply_to(asker, 2, done);
  changed.at(0) = Value(1);
  CHECK_THROWS_AS(asker.reply(changed), ProtocolError);
}
