// SPDX-License-Identifier: MIT
// Sockets and shared memory of the grading protocol.
#include "harness/channel.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace harness {
namespace {

struct Header {
  std::uint32_t magic;
  std::uint32_t length;
};
constexpr std::uint32_t kMagic = 0x42414c52;  // "RLAB"

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

void wait_until_writable(int fd, const std::function<bool()>& is_late) {
  constexpr int kLookAfterMilliseconds = 100;
  pollfd entry{fd, POLLOUT, 0};
  while (::poll(&entry, 1, is_late ? kLookAfterMilliseconds : -1) == 0) {
    if (is_late()) throw ProtocolError("the program reads no messages");
  }
}

ssize_t send_some(int fd, std::string_view bytes, int attached) {
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  if (attached >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &attached, sizeof(int));
  }
  return ::sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/// Reads up to `size` bytes, waits for the first, and keeps an attached descriptor.
ssize_t receive_some(int fd, char* data, std::size_t size, base::Descriptor& attached) {
  iovec part{data, size};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t count = 0;
  do {
    count = ::recvmsg(fd, &message, 0);
  } while (count < 0 && errno == EINTR);
  for (cmsghdr* h = CMSG_FIRSTHDR(&message); h != nullptr; h = CMSG_NXTHDR(&message, h)) {
    if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS) continue;
    int received = -1;
    std::memcpy(&received, CMSG_DATA(h), sizeof(int));
    attached = base::Descriptor(received);
  }
  return count;
}

bool receive_all(int fd, char* data, std::size_t size, base::Descriptor& attached) {
  while (size > 0) {
    const ssize_t count = receive_some(fd, data, size, attached);
    if (count <= 0) return false;
    data += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

std::uint32_t checked_length(const Header& header) {
  if (header.magic != kMagic)
    throw ProtocolError("the program sent something other than a message");
  if (header.length > kMaximumFrame)
    throw ProtocolError("the program sent a message that is too long");
  return header.length;
}

int make_memory_file() {
#ifdef __linux__
  return ::memfd_create("harness", MFD_CLOEXEC | MFD_ALLOW_SEALING);
#else
  char name[] = "/tmp/harness-XXXXXX";
  const int fd = ::mkstemp(name);
  if (fd >= 0) ::unlink(name);
  return fd;
#endif
}

void seal_size(int fd) {
#ifdef __linux__
  ::fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
#else
  static_cast<void>(fd);
#endif
}

}  // namespace

void Channel::send_key(const base::SipKey& key) {
  const std::string_view bytes(reinterpret_cast<const char*>(key.data()), sizeof key);
  if (send_some(socket_.get(), bytes, -1) != static_cast<ssize_t>(bytes.size())) {
    throw ProtocolError("the program is gone");
  }
}

void Channel::send(const Value& message, int attached, const std::function<bool()>& is_late) {
  const std::string body = message.encode();
  if (body.size() > kMaximumFrame) throw ProtocolError("message too long to send");
  const Header header{kMagic, static_cast<std::uint32_t>(body.size())};
  std::string frame(sizeof header, '\0');
  std::memcpy(frame.data(), &header, sizeof header);
  frame += body;
  std::string_view rest = frame;
  while (!rest.empty()) {
    const ssize_t count = send_some(socket_.get(), rest, attached);
    if (count < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN && errno != EWOULDBLOCK) throw ProtocolError("the program is gone");
      wait_until_writable(socket_.get(), is_late);
      continue;
    }
    attached = -1;  // it was sent with the first bytes
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::optional<Received> Channel::receive() {
  Header header{};
  Received received;
  auto* bytes = reinterpret_cast<char*>(&header);
  if (!receive_all(socket_.get(), bytes, sizeof header, received.attached)) return std::nullopt;
  std::string body(checked_length(header), '\0');
  if (!receive_all(socket_.get(), body.data(), body.size(), received.attached)) return std::nullopt;
  received.value = Value::decode(body);
  return received;
}

std::optional<Value> Channel::poll_message(bool& closed) {
  char chunk[65536];
  while (true) {
    const ssize_t count = ::recv(socket_.get(), chunk, sizeof chunk, MSG_DONTWAIT);
    if (count > 0) {
      buffer_.append(chunk, static_cast<std::size_t>(count));
      if (auto message = take_frame()) return message;
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    closed = count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
    return take_frame();
  }
}

std::optional<Value> Channel::take_frame() {
  Header header{};
  if (buffer_.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, buffer_.data(), sizeof header);
  const std::size_t end = sizeof header + checked_length(header);
  if (buffer_.size() < end) return std::nullopt;
  Value value = Value::decode(std::string_view(buffer_).substr(sizeof header, header.length));
  buffer_.erase(0, end);
  return value;
}

SharedMemory::SharedMemory(std::size_t bytes) : descriptor_(make_memory_file()), size_(bytes) {
  if (!descriptor_) fail("cannot make shared memory");
  if (::ftruncate(descriptor_.get(), static_cast<off_t>(bytes)) != 0) {
    fail("cannot make " + std::to_string(bytes) + " bytes of shared memory");
  }
  seal_size(descriptor_.get());
  map();
}

SharedMemory::SharedMemory(base::Descriptor descriptor, std::size_t bytes)
    : descriptor_(std::move(descriptor)), size_(bytes) {
  struct stat status {};
  if (::fstat(descriptor_.get(), &status) != 0) fail("cannot inspect shared memory");
  if (static_cast<std::uint64_t>(status.st_size) < bytes) {
    throw std::runtime_error("shared memory is smaller than announced");
  }
  map();
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : descriptor_(std::move(other.descriptor_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

std::span<std::byte> SharedMemory::part(std::uint64_t offset, std::uint64_t bytes) const {
  if (offset > size_ || bytes > size_ - offset) {
    throw ProtocolError("message names memory outside of what was shared");
  }
  return {data_ + offset, bytes};
}

void SharedMemory::map() {
  if (size_ == 0) return;
  void* address = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_.get(), 0);
  if (address == MAP_FAILED) fail("cannot map " + std::to_string(size_) + " bytes");
  data_ = static_cast<std::byte*>(address);
}

}  // namespace harness
