// SPDX-License-Identifier: MIT
// The pages of a PDF's destinations, in a file of four pages as Chromium writes it.
#include "print/pdf_pages.hpp"

#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace {

/// A PDF of these objects, numbered from 1.
std::string pdf_of(const std::vector<std::string>& objects, const std::string& root) {
  std::string pdf = "%PDF-1.4\n";
  std::string table = "0000000000 65535 f \n";
  for (std::size_t i = 0; i < objects.size(); ++i) {
    char line[32];
    std::snprintf(line, sizeof line, "%010zu 00000 n \n", pdf.size());
    table += line;
    pdf += std::to_string(i + 1) + " 0 obj\n<<" + objects[i] + ">>\nendobj\n";
  }
  const std::string begin = std::to_string(pdf.size());
  return pdf + "xref\n0 " + std::to_string(objects.size() + 1) + "\n" + table +
         "trailer\n<</Root " + root + ">>\nstartxref\n" + begin + "\n%%EOF\n";
}

}  // namespace

TEST_CASE("a destination is on the page that it names, in the order of the tree") {
  // The objects are in another order than the pages: 6, 2 and 5 under 4, and then 3.
  const std::string pdf =
      pdf_of({"/Type /Catalog /Pages 7 0 R\n/Dests 8 0 R", "/Type /Page\n/Parent 4 0 R",
              "/Type /Page\n/Parent 7 0 R", "/Type /Pages\n/Kids [6 0 R 2 0 R 5 0 R]",
              "/Type /Page", "/Type /Page", "/Type /Pages\n/Count 4\n/Kids [4 0 R 3 0 R]",
              "/first [6 0 R /XYZ 6 826.2 0]\n/topic_01--a#2Db [2 0 R /XYZ 0 1 0]\n"
              "/topic_01 [2 0 R /XYZ 0 2 0]\n/last [3 0 R /XYZ 0 0 0]"},
             "1 0 R");
  CHECK(
      docs::pages_of_destinations(pdf) ==
      std::map<std::string, int>{{"first", 1}, {"topic_01--a-b", 2}, {"topic_01", 2}, {"last", 4}});
}

TEST_CASE("other files are refused") {
  CHECK_THROWS_AS(docs::pages_of_destinations("<html></html>"), std::runtime_error);
  CHECK_THROWS_AS(docs::pages_of_destinations(pdf_of({"/Pages 2 0 R", "/Kids []"}, "1 0 R")),
                  std::runtime_error);
}
