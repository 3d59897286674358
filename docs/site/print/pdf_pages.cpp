// SPDX-License-Identifier: MIT
// Reads a PDF's tree of pages and its table of destinations.
#include "print/pdf_pages.hpp"

#include <charconv>
#include <cstdio>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace docs {
namespace {

class Pdf {
 public:
  /// The table gives every object's offset in a line of 20 bytes.
  explicit Pdf(const std::string& bytes) : bytes_(bytes) {
    const auto end = bytes.rfind("startxref");
    if (end == std::string::npos) throw std::runtime_error("not a PDF: no startxref");
    std::istringstream table(bytes.substr(std::stoul(bytes.substr(end + 9)), end));
    std::string word;
    int first = 0, count = 0;
    if (!(table >> word >> first >> count) || word != "xref" || first != 0) {
      throw std::runtime_error("the PDF has no plain table of cross-references");
    }
    offsets_.resize(count);
    for (std::size_t& offset : offsets_) table >> offset >> word >> word;
    trailer_ = bytes.substr(bytes.rfind("trailer"));
  }

  /// The text of the object that `from` refers to as `key`.
  std::string object(const std::string& from, const std::string& key) const {
    std::smatch found;
    if (!std::regex_search(from, found, std::regex("/" + key + R"( (\d+) 0 R)"))) {
      throw std::runtime_error("the PDF has no " + key);
    }
    return object(std::stoi(found[1]));
  }

  std::string object(int number) const {
    const std::size_t begin = offsets_.at(number);
    return bytes_.substr(begin, bytes_.find("endobj", begin) - begin);
  }

  std::string catalog() const { return object(trailer_, "Root"); }

 private:
  const std::string& bytes_;
  std::vector<std::size_t> offsets_;
  std::string trailer_;
};

/// Appends the numbers of the objects of the pages under this one, in order.
void add_pages(const Pdf& pdf, int number, std::vector<int>& pages) {
  static const std::regex kKids(R"(/Kids \[([^\]]*)\])"), kReference(R"((\d+) 0 R)");
  const std::string object = pdf.object(number);
  std::smatch found;
  if (!std::regex_search(object, found, kKids)) return pages.push_back(number);
  const std::string kids = found[1];
  for (std::sregex_iterator it(kids.begin(), kids.end(), kReference), end; it != end; ++it) {
    add_pages(pdf, std::stoi((*it)[1]), pages);
  }
}

/// A name without its escapes: #2D is a hyphen.
std::string plain(const std::string& name) {
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '#' || i + 2 >= name.size()) {
      result += name[i];
      continue;
    }
    int code = 0;
    std::from_chars(name.data() + i + 1, name.data() + i + 3, code, 16);
    result += static_cast<char>(code);
    i += 2;
  }
  return result;
}

}  // namespace

std::map<std::string, int> pages_of_destinations(const std::string& bytes) {
  static const std::regex kTop(R"(/Pages (\d+) 0 R)"), kPlace(R"(/(\S+) \[(\d+) 0 R)");
  const Pdf pdf(bytes);
  const std::string catalog = pdf.catalog();
  std::smatch top;
  if (!std::regex_search(catalog, top, kTop)) throw std::runtime_error("the PDF has no Pages");
  std::vector<int> pages;
  add_pages(pdf, std::stoi(top[1]), pages);
  std::map<int, int> page_of;
  for (std::size_t i = 0; i < pages.size(); ++i) page_of[pages[i]] = static_cast<int>(i) + 1;
  std::map<std::string, int> result;
  const std::string places = pdf.object(catalog, "Dests");
  for (std::sregex_iterator it(places.begin(), places.end(), kPlace), end; it != end; ++it) {
    result[plain((*it)[1])] = page_of.at(std::stoi((*it)[2]));
  }
  return result;
}

}  // namespace docs
