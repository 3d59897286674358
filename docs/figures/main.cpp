// SPDX-License-Identifier: MIT
// Draws the book's figures: figures PROJECT_ROOT FOLDER writes them, figures PROJECT_ROOT --check
// compares those of docs/images, and checks that every figure is used and every picture has a
// figure.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/files.hpp"
#include "figure.hpp"
#include "roofline/measurement.hpp"

namespace figures {
namespace {

namespace fs = std::filesystem;

std::map<std::string, Draw>& table() {
  static std::map<std::string, Draw> figures;
  return figures;
}

/// All text between tags.
std::vector<std::string> words_of(const std::string& svg) {
  static const std::regex kWords(">([^<>]+)</");
  std::vector<std::string> words;
  for (std::sregex_iterator it(svg.begin(), svg.end(), kWords), end; it != end; ++it) {
    words.push_back((*it)[1]);
  }
  return words;
}

/// Whether they are equal, except that positions may differ in the last decimal: processors round
/// differently.
bool are_alike(const std::string& is, const std::string& should) {
  if (words_of(is) != words_of(should)) return false;
  static const std::regex kNumber(R"(-?\d+(\.\d+)?)");
  constexpr double kLastDecimal = 0.11;
  const auto parts = [](const std::string& text) {
    std::pair<std::string, std::vector<double>> result;
    auto rest = text.cbegin();
    for (std::sregex_iterator it(text.begin(), text.end(), kNumber), end; it != end; ++it) {
      result.first.append(rest, (*it)[0].first);
      result.first += '#';
      result.second.push_back(std::stod((*it)[0]));
      rest = (*it)[0].second;
    }
    result.first.append(rest, text.cend());
    return result;
  };
  const auto [words, numbers] = parts(is);
  const auto [other_words, other_numbers] = parts(should);
  if (words != other_words || numbers.size() != other_numbers.size()) return false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::abs(numbers[i] - other_numbers[i]) > kLastDecimal) return false;
  }
  return true;
}

/// Names of the SVG files that the pages show.
std::set<std::string> shown_pictures(const fs::path& root) {
  static const std::regex kImage(R"(!\[[^\]]*\]\([^)]*?([^/)]+)\.svg\))");
  std::set<std::string> shown;
  std::vector<fs::path> pages = {root / "README.md"};
  for (const char* folder : {"topics", "docs/pages"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() == ".md") pages.push_back(entry.path());
    }
  }
  for (const fs::path& page : pages) {
    const std::string text = base::read_file(page);
    for (std::sregex_iterator it(text.begin(), text.end(), kImage), end; it != end; ++it) {
      shown.insert((*it)[1]);
    }
  }
  return shown;
}

int check(const fs::path& root, const Sources& sources) {
  const fs::path folder = root / "docs" / "images";
  const std::set<std::string> shown = shown_pictures(root);
  int bad = 0;
  for (const auto& [name, draw] : registered_figures()) {
    const fs::path file = folder / (name + ".svg");
    if (!fs::exists(file) || !are_alike(base::read_file(file), draw(sources).svg())) {
      ++bad;
      fmt::print("docs/images/{}.svg is not what its program draws; run: figures . docs/images\n",
                 name);
    }
    if (!shown.contains(name)) {
      ++bad;
      fmt::print("docs/figures draws {}, and no page shows it\n", name);
    }
  }
  for (const std::string& name : shown) {
    if (!registered_figures().contains(name)) {
      ++bad;
      fmt::print("a page shows {}.svg, and docs/figures does not draw it\n", name);
    }
  }
  fmt::print("{} figures drawn, {} complaints\n", registered_figures().size(), bad);
  return bad == 0 ? 0 : 1;
}

}  // namespace

bool register_figure(std::string name, Draw draw) {
  const auto [place, is_new] = table().emplace(std::move(name), draw);
  if (!is_new) throw std::logic_error(fmt::format("two figures are called {}", place->first));
  return true;
}

const std::map<std::string, Draw>& registered_figures() {
  return table();
}

}  // namespace figures

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: figures PROJECT_ROOT FOLDER|--check\n", stderr);
    return 2;
  }
  try {
    const std::filesystem::path root = argv[1];
    const docs::Sources sources(root / "data");
    if (std::string_view(argv[2]) == "--check") return figures::check(root, sources);
    for (const auto& [name, draw] : figures::registered_figures()) {
      std::filesystem::create_directories(argv[2]);
      base::write_file_atomically(std::filesystem::path(argv[2]) / (name + ".svg"),
                                  draw(sources).svg());
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "figures: %s\n", error.what());
    return 1;
  }
}
