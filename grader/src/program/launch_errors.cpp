// SPDX-License-Identifier: MIT
// Interprets GCC's and clang's errors about launches.
#include "grader/program/launch_errors.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "grader/program/signature.hpp"

namespace grader {
namespace {

using Lines = std::span<const std::string>;

/// The text between the bracket at `open` and its closing one.
std::string_view inside(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '<' || text[i] == '{') ++depth;
    if (text[i] != ')' && text[i] != '>' && text[i] != '}') continue;
    if (--depth == 0) return text.substr(open + 1, i - open - 1);
  }
  return {};
}

/// The text after `key`; empty if there is none.
std::string_view after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + key.size());
}

/// The line of code that an error shows, and the caret line below it.
std::string shown_code(Lines lines) {
  std::string text;
  if (lines.size() > 1) text += lines[1] + "\n";
  if (lines.size() > 2 && lines[2].find('^') != std::string::npos) text += lines[2] + "\n";
  return text;
}

/// "topics/FILE:LINE" of an error line.
std::string place_of(const std::string& line) {
  const std::size_t colon = line.find(':');
  return line.substr(0, line.find(':', colon + 1));
}

/// "gpu::launch<kernel>(grid, block, arguments)" for a line with kernel<<<...>>>(...).
std::string as_launch(std::string_view code) {
  const std::size_t open = code.find("<<<");
  const std::size_t close = code.find(">>>", open);
  if (close == std::string_view::npos) return "gpu::launch<kernel>(grid, block, arguments...)";
  const std::size_t start = code.find_last_of(" \t;{}(=|", open - (open > 0 ? 1 : 0));
  const std::size_t name = start == std::string_view::npos ? 0 : start + 1;
  std::vector<std::string> how = split_arguments(code.substr(open + 3, close - open - 3));
  how.resize(std::max<std::size_t>(how.size(), 2), "block");
  std::string call = "gpu::launch<" + std::string(code.substr(name, open - name)) + ">(";
  const bool has_more = how.size() > 2;
  call += has_more ? "{.grid = " + how[0] + ", .block = " + how[1] + ", .shared_bytes = " + how[2]
                   : how[0] + ", " + how[1];
  if (how.size() > 3) call += ", .stream = " + how[3];
  if (has_more) call += "}";
  const std::size_t arguments = code.find('(', close);
  if (arguments == std::string_view::npos) return call + ", arguments...)";
  const std::string_view given = inside(code, arguments);
  return call + (given.empty() ? "" : ", ") + std::string(given) + ")";
}

/// The types in a rejected launch: those of the kernel's parameters, and those given.
struct Types {
  std::vector<std::string> takes;
  std::vector<std::string> given;
};

/// Reads a compiler's note on std::is_invocable_v; empty if the line is none.
Types types_in(const std::string& line) {
  Types types;
  if (const auto list = after(line, "[with _Fn = void (*)"); !list.empty()) {  // GCC
    types.takes = split_arguments(inside(list, 0));
    const auto given = after(list, "_Args = ");
    types.given = split_arguments(inside(given, 0));
  } else if (const auto both = after(line, "is_invocable_v<void (*)"); !both.empty()) {  // clang
    types.takes = split_arguments(inside(both, 0));
    std::string_view given = inside(line, line.find("is_invocable_v<") + 14);
    types.given = split_arguments(given);
    if (!types.given.empty()) types.given.erase(types.given.begin());
  }
  for (std::string& type : types.given) {
    if (type.ends_with('&')) type.pop_back();
    while (type.ends_with(' ')) type.pop_back();
  }
  return types;
}

/// The candidates are launch(config, ...) and launch(grid, block, ...), in this order if the
/// compiler tried both. The first treats the block as an argument of the kernel.
Types types_of_launch(Lines lines, bool has_config) {
  Types types;
  for (const std::string& line : lines) {
    Types found = types_in(line);
    if (found.takes.empty() && found.given.empty()) continue;
    types = std::move(found);
    if (has_config) break;
  }
  return types;
}

/// What to do about one argument, if that is clear.
std::string advice(const std::string& takes, const std::string& given) {
  const bool wants_pointer = takes.find('*') != std::string::npos;
  if (wants_pointer && given.find("DeviceSpan") != std::string::npos) return "pass its .data()";
  if (wants_pointer && given.find("DeviceBuffer") != std::string::npos) return "pass its .data()";
  const bool gives_const = given.starts_with("const ") && given.find('*') != std::string::npos;
  if (wants_pointer && gives_const && !takes.starts_with("const "))
    return "const, cannot be written";
  return {};
}

std::string table(const std::vector<std::string>& takes, const std::vector<std::string>& given) {
  const std::string head = "the kernel takes";
  std::size_t width = head.size();
  for (const std::string& type : takes) width = std::max(width, type.size());
  const auto row = [&](const std::string& left, const std::string& right) {
    return "  " + left + std::string(width - left.size(), ' ') + "  " + right + "\n";
  };
  std::string text = row(head, "the launch gives");
  for (std::size_t i = 0; i < std::max(takes.size(), given.size()); ++i) {
    const std::string left = i < takes.size() ? takes[i] : "(no more)";
    const std::string right = i < given.size() ? given[i] : "(nothing)";
    const std::string what = takes.size() == given.size() ? advice(left, right) : "";
    text += row(left, right + (what.empty() ? "" : "  <- " + what));
  }
  return text;
}

/// The fields of gpu::LaunchConfig that a student sets, in order.
constexpr std::array<std::string_view, 5> kFields = {"grid", "block", "shared_bytes", "stream",
                                                     "warp_width"};

std::size_t place_of_field(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(kFields, name) - kFields.begin());
}

/// The names set in the braces of a launch, {.NAME = ..., .NAME = ...}; `open` is the position of
/// the opening brace.
std::vector<std::string> fields_set(std::string_view code, std::size_t open) {
  std::vector<std::string> names;
  int depth = 0;
  bool may_begin = false;  // only brackets and commas precede a field's dot
  for (std::size_t i = open; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    if (depth == 0) break;
    if (c == '.' && may_begin) {
      const std::size_t end = std::min(code.find_first_of(" \t\n={,}", i), code.size());
      names.emplace_back(code.substr(i + 1, end - i - 1));
    }
    const bool is_blank = c == ' ' || c == '\t' || c == '\n';
    if (!is_blank) may_begin = depth == 1 && (c == ',' || c == '{');
  }
  return names;
}

/// The source's text from the line of an error on, or the line that the error shows if there is no
/// such file.
std::string code_from(Lines lines, const std::filesystem::path& root) {
  const std::string place = place_of(lines[0]);
  const std::size_t colon = place.find(':');
  const std::string source = base::read_file_if_any(root / place.substr(0, colon));
  std::size_t at = 0;
  for (int line = std::atoi(place.c_str() + colon + 1); line > 1 && at < source.size(); --line) {
    const std::size_t end = source.find('\n', at);
    at = end == std::string::npos ? source.size() : end + 1;
  }
  constexpr std::size_t kLongestLaunch = 2000;
  std::string code = source.substr(at, kLongestLaunch);
  const bool is_launch = code.find("launch<") < code.find('\n');
  return is_launch ? code : lines.size() > 1 ? lines[1] : "";
}

/// Position of the braces in `launch<kernel>({...}, ...)`; npos if there are none.
std::size_t braces_in(std::string_view code) {
  const std::size_t launch = code.find("launch<");
  if (launch == std::string_view::npos) return launch;
  const std::size_t kernel = inside(code, launch + 6).size();
  const std::size_t first = code.find_first_not_of(" \t\n(", launch + 8 + kernel);
  return first < code.size() && code[first] == '{' ? first : std::string_view::npos;
}

/// Says what is wrong with the fields that a launch sets.
std::string fields_in_words(const std::vector<std::string>& names) {
  const auto is_unknown = [](const std::string& name) {
    return place_of_field(name) == kFields.size();
  };
  if (const auto unknown = std::ranges::find_if(names, is_unknown); unknown != names.end()) {
    return "a launch has no field ." + *unknown;
  }
  const auto later = std::ranges::adjacent_find(names, [](const auto& one, const auto& next) {
    return place_of_field(one) > place_of_field(next);
  });
  if (later != names.end()) {
    return "the fields of a launch stand in their order, ." + *std::next(later) + " before ." +
           *later;
  }
  return "what stands in the braces of this launch does not convert to its fields";
}

std::string braces_in_words(Lines lines, const std::string& code) {
  std::string order;
  for (const std::string_view field : kFields) {
    order += (order.empty() ? "." : ", .") + std::string(field);
  }
  return place_of(lines[0]) + ": error: " + fields_in_words(fields_set(code, braces_in(code))) +
         "\n" + shown_code(lines) + "  The fields, in order: " + order + ".\n";
}

/// True if the compiler could not create a launch configuration from the braces.
bool is_about_braces(Lines lines) {
  return std::ranges::any_of(lines, [](const std::string& line) {
    return line.find("cannot convert") != std::string::npos &&
           line.find("initializer list") != std::string::npos &&
           line.find("LaunchConfig") != std::string::npos;
  });
}

/// GCC's and clang's errors about fields in the wrong order.
bool is_about_order(const std::string& error) {
  return error.find("designator order for field 'gpu::LaunchConfig::") != std::string::npos ||
         error.find("designators to be specified in declaration order") != std::string::npos;
}

std::string mismatch_in_words(Lines lines, const std::filesystem::path& root) {
  const std::string code = code_from(lines, root);
  const std::size_t launch = code.find("launch<");
  if (launch == std::string::npos) return {};
  if (is_about_braces(lines)) return braces_in_words(lines, code);
  const std::string_view kernel_text = inside(code, launch + 6);
  const std::string kernel(kernel_text.substr(0, kernel_text.find('<')));
  Types types = types_of_launch(lines, braces_in(code) != std::string::npos);
  if (types.takes.empty() && types.given.empty()) return {};
  const std::string file = lines[0].substr(0, lines[0].find(':'));
  const std::vector<SourceParameter> named =
      parameters_of(base::read_file_if_any(root / file), kernel);
  if (named.size() == types.takes.size()) {
    std::ranges::transform(named, types.takes.begin(), &SourceParameter::declaration);
  }
  std::string text = place_of(lines[0]) + ": error: the arguments of this launch do not match " +
                     "the parameters of " + kernel + "\n";
  return text + shown_code(lines) + table(types.takes, types.given);
}

}  // namespace

std::string launch_error_in_words(Lines lines, const std::filesystem::path& root) {
  if (lines.empty() || !lines[0].starts_with("topics/")) return {};
  if (lines.size() > 1 && lines[1].find("<<<") != std::string::npos) {
    const std::size_t gutter = lines[1].find(" | ");
    const std::string_view code =
        std::string_view(lines[1]).substr(gutter == std::string::npos ? 0 : gutter + 3);
    return place_of(lines[0]) +
           ": error: <<<...>>> starts kernels in CUDA only; here, so that the " +
           "same file runs everywhere, a kernel is started by gpu::launch:\n" + shown_code(lines) +
           "  " + as_launch(code) + ";\n";
  }
  if (is_about_order(lines[0])) {
    const std::string code = code_from(lines, root);
    return braces_in(code) == std::string::npos ? "" : braces_in_words(lines, code);
  }
  const bool is_mismatch = lines[0].find("no matching function for call to") != std::string::npos &&
                           lines[0].find("'launch") != std::string::npos;
  return is_mismatch ? mismatch_in_words(lines, root) : std::string();
}

bool is_follow_up(Lines lines) {
  return std::ranges::any_of(lines, [](const std::string& line) {
    return line.find("<expression error>") != std::string::npos;
  });
}

bool is_about_counting(const std::string& errors) {
  return errors.find("Counting<") != std::string::npos;
}

std::string counting_error_in_words(std::string error) {
  if (!is_about_counting(error)) return error;
  const std::string_view inner = "counting::";  // namespace of the type
  for (auto at = error.find(inner); at != std::string::npos; at = error.find(inner)) {
    error.erase(at, inner.size());
  }
  return error + kTypeThatCounts + "\n";
}

}  // namespace grader
