// SPDX-License-Identifier: MIT
// Framed messages over a socket, and memory shared by two processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/descriptor.hpp"
#include "base/siphash.hpp"
#include "harness/value.hpp"

namespace harness {

/// Version of the messages; both sides must agree (see serve()).
inline constexpr std::int64_t kProtocolVersion = 5;
/// Descriptor of the socket in a program started with --serve.
inline constexpr int kServeDescriptor = 3;
/// Longest frame that either side accepts, in bytes.
inline constexpr std::size_t kMaximumFrame = std::size_t{64} << 20;

/// A message and the descriptor attached to it, if any.
struct Received {
  Value value;
  base::Descriptor attached;
};

/// One end of the conversation. Reading never trusts the other side: a frame that is too long or
/// malformed is a ProtocolError.
class Channel {
 public:
  explicit Channel(base::Descriptor socket) : socket_(std::move(socket)) {}

  int descriptor() const { return socket_.get(); }

  /// Sends the signing key, which a serving program reads before all messages.
  void send_key(const base::SipKey& key);

  /// Sends one message, with a descriptor attached if `attached` is not negative. While the other
  /// side's buffer is full, it waits until `is_late`, which is called ten times a second, returns
  /// true; without a limit if `is_late` is empty.
  /// @throws ProtocolError if the other side is gone or does not read.
  void send(const Value& message, int attached = -1, const std::function<bool()>& is_late = {});

  /// Waits for one message; nothing when the other side closed the socket.
  std::optional<Received> receive();

  /// Reads what has arrived so far, without waiting. Sets `closed` if nothing more will come.
  /// Rejects descriptors from the other side.
  std::optional<Value> poll_message(bool& closed);

 private:
  std::optional<Value> take_frame();

  base::Descriptor socket_;
  std::string buffer_;
};

/// Memory shared through a descriptor. If the system can seal its size, it does, so that the other
/// process cannot shrink it while it is in use.
class SharedMemory {
 public:
  SharedMemory() = default;
  /// New zeroed memory. @throws std::runtime_error when there is not enough.
  explicit SharedMemory(std::size_t bytes);
  /// Maps memory that another process made. @throws std::runtime_error when it is smaller than
  /// `bytes` or cannot be mapped.
  SharedMemory(base::Descriptor descriptor, std::size_t bytes);
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  ~SharedMemory();

  int descriptor() const { return descriptor_.get(); }
  std::size_t size() const { return size_; }
  std::byte* data() const { return data_; }
  /// The part that starts at `offset`. @throws ProtocolError if it is not inside the memory.
  std::span<std::byte> part(std::uint64_t offset, std::uint64_t bytes) const;

 private:
  void map();

  base::Descriptor descriptor_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace harness
