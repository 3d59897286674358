// SPDX-License-Identifier: MIT
// Every link, picture and script of the docs site leads to a file of the site, every #anchor to an
// element with that id; no page requests anything from another host, or contains the path of the
// folder it was built in. Usage: site-links SITE_FOLDER COURSE_FOLDER
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// Values of an attribute: everything between NAME=" and ".
std::set<std::string> values_of(std::string_view html, std::string_view attribute) {
  const std::string opening = " " + std::string(attribute) + "=\"";
  std::set<std::string> values;
  for (auto at = html.find(opening); at != std::string_view::npos; at = html.find(opening, at)) {
    at += opening.size();
    values.emplace(html.substr(at, html.find('"', at) - at));
  }
  return values;
}

/// One site, each page read once.
class Site {
 public:
  Site(fs::path folder, std::string course)
      : folder_(std::move(folder)), course_(std::move(course)) {}

  int check() {
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().extension() == ".html") check_page(entry.path());
    }
    std::printf("%zu links looked at, %zu bad\n", seen_, bad_);
    return bad_ == 0 && seen_ > 0 ? 0 : 1;
  }

 private:
  void check_page(const fs::path& page) {
    const std::string html = read_text(page);
    if (html.find(course_) != std::string::npos) {
      complain(page, course_, "is a folder of the machine that built the page");
    }
    for (const char* attribute : {"href", "src"}) {
      for (const std::string& target : values_of(html, attribute)) {
        check_target(page, target, std::string_view(attribute) == "src");
      }
    }
  }

  void check_target(const fs::path& page, const std::string& target, bool is_loaded) {
    if (target.empty() || target.starts_with("javascript:") || target.starts_with("data:")) return;
    ++seen_;
    if (target.find("://") != std::string::npos || target.starts_with("//")) {
      // A link may lead outside; what a page loads may not come from there.
      if (is_loaded) complain(page, target, "is loaded from another host");
      return;
    }
    const auto hash = target.find('#');
    const std::string path = target.substr(0, hash);
    const fs::path file = path.empty() ? page : page.parent_path() / path;
    if (!fs::exists(file)) return complain(page, target, "no such file");
    if (hash == std::string::npos || hash + 1 == target.size()) return;
    if (file.extension() == ".html" && !ids(file).contains(target.substr(hash + 1))) {
      complain(page, target, "no such anchor");
    }
  }

  const std::set<std::string>& ids(const fs::path& page) {
    const auto [place, is_new] = ids_.try_emplace(page.filename().string());
    if (is_new) {
      const std::string html = read_text(page);
      place->second = values_of(html, "id");
      place->second.merge(values_of(html, "name"));
    }
    return place->second;
  }

  void complain(const fs::path& page, const std::string& target, const char* what) {
    ++bad_;
    std::printf("%s: %s: %s\n", page.filename().c_str(), target.c_str(), what);
  }

  fs::path folder_;
  std::string course_;
  std::map<std::string, std::set<std::string>> ids_;
  std::size_t seen_ = 0;
  std::size_t bad_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: site-links SITE_FOLDER COURSE_FOLDER\n", stderr);
    return 2;
  }
  return Site(argv[1], argv[2]).check();
}
