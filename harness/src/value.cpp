// SPDX-License-Identifier: MIT
// Encoding of harness::Value: a tag byte, then eight bytes or a length and content.
#include "harness/value.hpp"

#include <cstring>

namespace harness {
namespace {

constexpr char kDouble = 'd';
constexpr char kInteger = 'i';
constexpr char kText = 't';
constexpr char kList = 'l';
constexpr int kMaximumDepth = 32;

template <class T>
void append_bits(std::string& out, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

void append(std::string& out, const Value& value) {
  if (value.is_text()) {
    out += kText;
    append_bits(out, std::uint64_t{value.text().size()});
    out += value.text();
  } else if (value.is_list()) {
    out += kList;
    append_bits(out, std::uint64_t{value.size()});
    for (const Value& item : value.list()) append(out, item);
  } else if (value.is_integer()) {
    out += kInteger;
    append_bits(out, value.integer());
  } else {
    out += kDouble;
    append_bits(out, value.number());
  }
}

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  Value value(int depth) {
    if (depth > kMaximumDepth) throw ProtocolError("message nested too deeply");
    switch (take(1)[0]) {
      case kDouble:
        return bits<double>();
      case kInteger:
        return bits<std::int64_t>();
      case kText:
        return take(bits<std::uint64_t>());
      case kList:
        return list(depth);
      default:
        throw ProtocolError("message with an unknown tag");
    }
  }
  bool done() const { return rest_.empty(); }

 private:
  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) throw ProtocolError("message cut short");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  template <class T>
  T bits() {
    T result;
    std::memcpy(&result, take(sizeof result).data(), sizeof result);
    return result;
  }
  Value list(int depth) {
    const auto count = bits<std::uint64_t>();
    // Every item takes at least nine bytes, so a longer list cannot fit into the rest.
    if (count > rest_.size() / 9) throw ProtocolError("message cut short");
    Value::List items;
    items.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) items.push_back(value(depth + 1));
    return items;
  }

  std::string_view rest_;
};

[[noreturn]] void wrong_type(const char* wanted) {
  throw ProtocolError(std::string("message holds something other than ") + wanted);
}

}  // namespace

Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

double Value::number() const {
  if (const auto* integer = std::get_if<std::int64_t>(&data_)) return static_cast<double>(*integer);
  if (const auto* number = std::get_if<double>(&data_)) return *number;
  wrong_type("a number");
}

std::int64_t Value::integer() const {
  if (const auto* integer = std::get_if<std::int64_t>(&data_)) return *integer;
  wrong_type("an integer");
}

const std::string& Value::text() const {
  if (const auto* text = std::get_if<std::string>(&data_)) return *text;
  wrong_type("text");
}

const Value::List& Value::list() const {
  if (const auto* list = std::get_if<List>(&data_)) return *list;
  wrong_type("a list");
}

const Value& Value::at(std::size_t index) const {
  if (index >= size()) throw ProtocolError("message with too few parts");
  return list()[index];
}

void Value::push_back(Value item) {
  if (!is_list()) wrong_type("a list");
  std::get<List>(data_).push_back(std::move(item));
}

std::string Value::encode() const {
  std::string out;
  append(out, *this);
  return out;
}

Value Value::decode(std::string_view bytes) {
  Decoder decoder(bytes);
  Value result = decoder.value(0);
  if (!decoder.done()) throw ProtocolError("message with bytes left over");
  return result;
}

}  // namespace harness
