// SPDX-License-Identifier: MIT
// Framing over a socket pair, and shared memory that the other side cannot shrink.
#include "harness/channel.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include "base/descriptor.hpp"
#include "support/catch.hpp"

using base::Descriptor;
using harness::Channel;
using harness::SharedMemory;
using harness::Value;

namespace {

struct Pair {
  Pair() {
    int sockets[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    left = Descriptor(sockets[0]);
    right = Descriptor(sockets[1]);
  }
  Descriptor left;
  Descriptor right;
};

}  // namespace

TEST_CASE("messages arrive whole and in order", "[channel]") {
  Pair pair;
  Channel left(std::move(pair.left));
  Channel right(std::move(pair.right));
  left.send(Value::list("one"));
  left.send(Value::list("two", std::string(100000, 'x')));
  CHECK(right.receive()->value.at(0).text() == "one");
  CHECK(right.receive()->value.at(1).text().size() == 100000);
}

TEST_CASE("reading without waiting returns what is complete", "[channel]") {
  Pair pair;
  const int raw = pair.left.get();
  Channel right(std::move(pair.right));
  bool closed = false;
  CHECK_FALSE(right.poll_message(closed));
  CHECK_FALSE(closed);
  Channel left(std::move(pair.left));
  left.send(Value::list("x"));
  CHECK(right.poll_message(closed)->at(0).text() == "x");
  ::shutdown(raw, SHUT_RDWR);
  CHECK_FALSE(right.poll_message(closed));
  CHECK(closed);
}

TEST_CASE("bytes that are not a frame are a protocol error", "[channel]") {
  Pair pair;
  Channel right(std::move(pair.right));
  const char text[] = "all tests passed\n";
  REQUIRE(::write(pair.left.get(), text, sizeof text) == sizeof text);
  bool closed = false;
  CHECK_THROWS_AS(right.poll_message(closed), harness::ProtocolError);
}

TEST_CASE("a frame that claims gigabytes is refused", "[channel]") {
  Pair pair;
  Channel right(std::move(pair.right));
  const unsigned header[2] = {0x42414c52U, 0xffffffffU};
  REQUIRE(::write(pair.left.get(), header, sizeof header) == sizeof header);
  bool closed = false;
  CHECK_THROWS_AS(right.poll_message(closed), harness::ProtocolError);
}

TEST_CASE("sending to one who left is an error, not a signal", "[channel]") {
  Pair pair;
  Channel left(std::move(pair.left));
  pair.right.reset();
  CHECK_THROWS_AS(left.send(Value::list("x")), harness::ProtocolError);
}

TEST_CASE("a descriptor travels with a message and shares memory", "[channel]") {
  Pair pair;
  Channel left(std::move(pair.left));
  Channel right(std::move(pair.right));
  const SharedMemory mine(4096);
  left.send(Value::list("memory"), mine.descriptor());
  auto received = right.receive();
  const SharedMemory theirs(std::move(received->attached), 4096);
  theirs.data()[17] = std::byte{42};
  CHECK(mine.data()[17] == std::byte{42});
  CHECK(::ftruncate(theirs.descriptor(), 0) != 0);
  CHECK_THROWS_AS(mine.part(4090, 7), harness::ProtocolError);
  CHECK_THROWS_AS(mine.part(~std::uint64_t{0}, 2), harness::ProtocolError);
  CHECK(mine.part(4090, 6).size() == 6);
}

TEST_CASE("memory smaller than announced is refused", "[channel]") {
  const SharedMemory small(100);
  CHECK_THROWS_AS(SharedMemory(Descriptor(::dup(small.descriptor())), 101), std::runtime_error);
}
