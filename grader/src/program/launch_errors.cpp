// SPDX-License-Identifier: MIT
// Reads launches in the words of GCC and clang.
#include "grader/program/launch_errors.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "grader/program/signature.hpp"

namespace grader {
namespace {

using Lines = std::span<const std::string>;

/// The text between `open` and the bracket that closes it; `open` is where the bracket stands.
std::string_view inside(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '<' || text[i] == '{') ++depth;
    if (text[i] != ')' && text[i] != '>' && text[i] != '}') continue;
    if (--depth == 0) return text.substr(open + 1, i - open - 1);
  }
  return {};
}

/// What stands after `key`; empty when it does not occur.
std::string_view after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + key.size());
}

/// The line of code that an error shows, and the caret below it.
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

/// The types that a launch was tried with: those of the kernel's parameters, and those given.
struct Types {
  std::vector<std::string> takes;
  std::vector<std::string> given;
};

/// From a note of the compiler on std::is_invocable_v; nothing when the line is none.
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

/// The candidates are launch(config, ...) and launch(grid, block, ...), in this order where the
/// compiler tried both. The first one also took the block for an argument of the kernel.
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

/// What to do about one argument, where it is plain.
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

std::string mismatch_in_words(Lines lines, const std::filesystem::path& root) {
  const std::string_view code = lines.size() > 1 ? std::string_view(lines[1]) : "";
  const std::size_t launch = code.find("launch<");
  if (launch == std::string_view::npos) return {};
  const std::string_view kernel_text = inside(code, launch + 6);
  const std::string kernel(kernel_text.substr(0, kernel_text.find('<')));
  const std::string_view rest = code.substr(launch + 8 + kernel_text.size());
  Types types = types_of_launch(lines, rest.starts_with("({"));
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
  const bool is_mismatch = lines[0].find("no matching function for call to") != std::string::npos &&
                           lines[0].find("'launch") != std::string::npos;
  return is_mismatch ? mismatch_in_words(lines, root) : std::string();
}

bool is_about_counting(const std::string& errors) {
  return errors.find("Counting<") != std::string::npos;
}

std::string counting_error_in_words(std::string error) {
  if (!is_about_counting(error)) return error;
  const std::string_view inner = "counting::";  // where the type is declared
  for (auto at = error.find(inner); at != std::string::npos; at = error.find(inner)) {
    error.erase(at, inner.size());
  }
  return error + kTypeThatCounts + "\n";
}

}  // namespace grader
