// SPDX-License-Identifier: MIT
// The data type of all messages between the grader and a lab program: numbers, text and lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace harness {

/// Thrown if a message does not have the shape that the protocol requires.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A number, a text, or a list of values. Doubles travel bit for bit, so NaN and infinities
/// survive.
class Value {
 public:
  using List = std::vector<Value>;

  Value() : data_(List{}) {}
  Value(double number) : data_(number) {}
  Value(std::int64_t number) : data_(number) {}
  Value(int number) : data_(std::int64_t{number}) {}
  Value(bool flag) : data_(std::int64_t{flag}) {}
  Value(std::string text) : data_(std::move(text)) {}
  Value(std::string_view text) : data_(std::string(text)) {}
  Value(const char* text) : data_(std::string(text)) {}
  Value(List list) : data_(std::move(list)) {}

  // Not inline, so that long lists are copied and destroyed by optimised code, however the caller
  // is built.
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();

  /// A list of the arguments: list("run", 3) is the list with a text and a number.
  template <class... Parts>
  static Value list(Parts&&... parts) {
    List items;
    items.reserve(sizeof...(parts));
    (items.emplace_back(std::forward<Parts>(parts)), ...);
    return Value(std::move(items));
  }

  bool is_number() const { return !is_text() && !is_list(); }
  bool is_integer() const { return std::holds_alternative<std::int64_t>(data_); }
  bool is_text() const { return std::holds_alternative<std::string>(data_); }
  bool is_list() const { return std::holds_alternative<List>(data_); }

  /// The content as the requested type. @throws ProtocolError if it has another one. An integer may
  /// be read as a double, but not vice versa.
  double number() const;
  std::int64_t integer() const;
  const std::string& text() const;
  const List& list() const;

  /// Element `index` of a list; @throws ProtocolError when there is none.
  const Value& at(std::size_t index) const;
  Value& at(std::size_t index) { return const_cast<Value&>(std::as_const(*this).at(index)); }
  std::size_t size() const { return list().size(); }
  void push_back(Value item);

  /// True if type and bits are equal: a NaN equals the same NaN.
  friend bool operator==(const Value& a, const Value& b) { return a.encode() == b.encode(); }

  /// The bytes of this value, and back. @throws ProtocolError for anything that encode() does not
  /// write: unknown tags, lengths beyond the input, trailing bytes, nesting deeper than 32.
  std::string encode() const;
  static Value decode(std::string_view bytes);

 private:
  std::variant<double, std::int64_t, std::string, List> data_;
};

}  // namespace harness
