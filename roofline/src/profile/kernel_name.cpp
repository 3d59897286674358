// SPDX-License-Identifier: MIT
// Names of kernels: a small parser of C++ type names as demanglers print them.
#include "roofline/kernel/kernel_name.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace roofline {
namespace {

/// A name and its template arguments.
struct Name {
  std::string text;
  std::vector<Name> arguments;
};

bool opens(char c) {
  return c == '<' || c == '(' || c == '[' || c == '{';
}
bool closes(char c) {
  return c == '>' || c == ')' || c == ']' || c == '}';
}

// Calls visit(index) for every character outside brackets; stops when it returns false.
template <typename Visit>
void outside_brackets(std::string_view text, Visit visit) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (closes(text[i]) && depth > 0) --depth;
    if (depth == 0 && !visit(i)) return;
    if (opens(text[i])) ++depth;
  }
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  outside_brackets(text, [&](std::size_t i) {
    if (i >= begin && text.substr(i).starts_with(separator)) {
      parts.push_back(base::trimmed(text.substr(begin, i - begin)));
      begin = i + separator.size();
    }
    return true;
  });
  parts.push_back(base::trimmed(text.substr(begin)));
  return parts;
}

// A lambda, its call operator, or an unnamed namespace: these say nothing by themselves.
bool is_anonymous(std::string_view part) {
  for (const std::string_view begin : {"[lambda", "{lambda", "'lambda", "lambda", "operator",
                                       "(anonymous", "<unnamed>", "[unnamed"}) {
    if (part.starts_with(begin)) return true;
  }
  return part.empty();
}

// "(int)4" -> "4"
std::string_view without_cast(std::string_view text) {
  if (!text.starts_with('(')) return text;
  const auto end = text.find(')');
  if (end == std::string_view::npos || end + 1 == text.size()) return text;
  const char next = text[end + 1];
  return next == '-' || (next >= '0' && next <= '9') ? text.substr(end + 1) : text;
}

std::size_t first_outside(std::string_view text, char wanted) {
  std::size_t found = text.size();
  outside_brackets(text, [&](std::size_t i) {
    if (text[i] != wanted) return true;
    found = i;
    return false;
  });
  return found;
}

Name parsed(std::string_view text) {
  const auto parts = split(without_cast(base::trimmed(text)), "::");
  const auto named = std::find_if_not(parts.rbegin(), parts.rend(), is_anonymous);
  std::string_view part = named == parts.rend() ? parts.back() : *named;
  part = base::trimmed(part.substr(0, std::max<std::size_t>(first_outside(part, '('), 1)));
  const std::size_t open = first_outside(part, '<');
  Name name{std::string(part.substr(0, open)), {}};
  if (open == part.size()) return name;
  const std::size_t close = part.rfind('>');
  if (close == std::string_view::npos || close < open) return {std::string(part), {}};
  for (const std::string_view argument : split(part.substr(open + 1, close - open - 1), ",")) {
    name.arguments.push_back(parsed(argument));
  }
  return name;
}

// The return type ends at the last blank before the first bracket of the function's own name.
std::string_view without_return_type(std::string_view text) {
  std::size_t begin = 0;
  outside_brackets(text, [&](std::size_t i) {
    if (text[i] == ' ') begin = i + 1;
    return text[i] != '<' && (text[i] != '(' || text.substr(i).starts_with("(anonymous"));
  });
  return text.substr(begin);
}

int depth(const Name& name) {
  int deepest = 0;
  for (const Name& argument : name.arguments) deepest = std::max(deepest, 1 + depth(argument));
  return deepest;
}

std::string written(const Name& name, int levels) {
  if (name.arguments.empty()) return name.text;
  if (levels == 0) return name.text + "<...>";
  std::string list;
  for (const Name& argument : name.arguments) {
    list += (list.empty() ? "" : ", ") + written(argument, levels - 1);
  }
  return name.text + "<" + list + ">";
}

}  // namespace

std::string short_kernel_name(std::string_view name, std::size_t width) {
  constexpr std::string_view kGap = "...";
  const Name kernel = parsed(without_return_type(base::trimmed(name)));
  std::string text;
  for (int levels = depth(kernel); levels >= 0; --levels) {
    text = written(kernel, levels);
    if (text.size() <= width) return text;
  }
  width = std::max(width, kGap.size() + 2);
  const std::size_t tail = (width - kGap.size()) / 3;
  const std::size_t head = width - kGap.size() - tail;
  return text.substr(0, head) + std::string(kGap) + text.substr(text.size() - tail);
}

}  // namespace roofline
