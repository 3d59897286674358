// SPDX-License-Identifier: MIT
// Fingerprints of token sequences, compared between all pairs of students.
#include "grader/batch/similarity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <set>
#include <string_view>

#include "grader/batch/tokens.hpp"
#include "grader/report/report.hpp"

namespace grader {
namespace {

using Fingerprints = std::set<std::uint64_t>;

// Sequences of twelve tokens are about two lines. One fingerprint is kept out of every eight, so
// that any common stretch of nineteen tokens is found.
constexpr std::size_t kTokens = 12;
constexpr std::size_t kWindow = 8;
// Below this many students "most of the class" means nothing.
constexpr std::size_t kLargeClass = 8;

/// Tokens without names and numbers: all words are the same word and all numbers the same number,
/// because renaming is the first thing that people do to a copy. Keywords stay, because they carry
/// structure.
std::vector<std::string> tokens_of(std::string_view text, bool is_toml) {
  static const std::set<std::string_view> kKept = {
      "if", "else", "for", "while", "return", "struct", "template", "__shared__", "__syncthreads"};
  std::vector<std::string> tokens;
  for (Token& token : is_toml ? toml_tokens(text) : cpp_tokens(text)) {
    switch (token.kind) {
      case Token::Kind::kWord:
        tokens.push_back(kKept.contains(token.text) ? std::move(token.text) : "a");
        break;
      case Token::Kind::kNumber:
        tokens.emplace_back("0");
        break;
      case Token::Kind::kText:
      case Token::Kind::kSign:
        tokens.push_back(std::move(token.text));
        break;
    }
  }
  return tokens;
}

/// The smallest hash of every window of neighbouring sequences (winnowing).
Fingerprints fingerprints_of(std::string_view text, bool is_toml) {
  const std::vector<std::string> tokens = tokens_of(text, is_toml);
  std::vector<std::uint64_t> hashes;
  for (std::size_t i = 0; i + kTokens <= tokens.size(); ++i) {
    std::string sequence;
    for (std::size_t k = 0; k < kTokens; ++k) sequence += tokens[i + k] + ' ';
    hashes.push_back(std::hash<std::string>{}(sequence));
  }
  Fingerprints kept;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const std::size_t end = std::min(i + kWindow, hashes.size());
    if (end - i < kWindow && i > 0) break;
    kept.insert(*std::min_element(hashes.begin() + static_cast<std::ptrdiff_t>(i),
                                  hashes.begin() + static_cast<std::ptrdiff_t>(end)));
  }
  return kept;
}

/// One student's own work on a file.
struct Own {
  std::string student;
  Fingerprints prints;
};

void remove_common(std::vector<Own>& works, const Fingerprints& starter) {
  std::map<std::uint64_t, std::size_t> holders;
  for (const Own& own : works) {
    for (const std::uint64_t print : own.prints) ++holders[print];
  }
  const bool large = works.size() >= kLargeClass;
  for (Own& own : works) {
    std::erase_if(own.prints, [&](std::uint64_t print) {
      return starter.contains(print) || (large && 2 * holders[print] > works.size());
    });
  }
}

std::size_t shared_by(const Fingerprints& a, const Fingerprints& b) {
  std::vector<std::uint64_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.size();
}

}  // namespace

double SimilarPair::similarity() const {
  const std::size_t smaller = std::min(first_size, second_size);
  return smaller == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(smaller);
}

std::vector<SimilarPair> similar_pairs(const std::vector<HandedIn>& class_work,
                                       const std::map<std::string, std::string>& starters,
                                       const SimilarityLimits& limits) {
  std::map<std::string, std::vector<Own>> by_file;
  for (const HandedIn& work : class_work) {
    const bool is_toml = work.file.ends_with(".toml");
    by_file[work.file].push_back({work.student, fingerprints_of(work.text, is_toml)});
  }
  std::vector<SimilarPair> pairs;
  for (auto& [file, works] : by_file) {
    const auto starter = starters.find(file);
    remove_common(works, starter == starters.end()
                             ? Fingerprints{}
                             : fingerprints_of(starter->second, file.ends_with(".toml")));
    for (std::size_t i = 0; i < works.size(); ++i) {
      for (std::size_t k = i + 1; k < works.size(); ++k) {
        if (works[i].student == works[k].student) continue;  // two attempts of one student
        const SimilarPair pair{file,
                               works[i].student,
                               works[k].student,
                               shared_by(works[i].prints, works[k].prints),
                               works[i].prints.size(),
                               works[k].prints.size()};
        if (pair.shared >= limits.shared && pair.similarity() >= limits.similarity) {
          pairs.push_back(pair);
        }
      }
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const SimilarPair& a, const SimilarPair& b) {
    return a.similarity() > b.similarity();
  });
  return pairs;
}

std::string similarity_csv(const std::vector<SimilarPair>& pairs) {
  std::string csv = "file,first,second,similarity,shared,first_size,second_size\n";
  for (const SimilarPair& pair : pairs) {
    csv += fmt::format("{},{},{},{:.2f},{},{},{}\n", csv_field(pair.file), csv_field(pair.first),
                       csv_field(pair.second), pair.similarity(), pair.shared, pair.first_size,
                       pair.second_size);
  }
  return csv;
}

std::vector<IdenticalWork> identical_work(
    const std::vector<HandedIn>& class_work,
    const std::map<std::string, std::vector<std::string>>& known) {
  const auto words_of = [](const std::string& text) {
    std::string words;
    for (const Token& token : cpp_tokens(text)) words += token.text + ' ';
    return words;
  };
  std::map<std::string, std::set<std::string>> left_out;
  for (const auto& [file, texts] : known) {
    for (const std::string& text : texts) left_out[file].insert(words_of(text));
  }
  std::map<std::pair<std::string, std::string>, std::set<std::string>> groups;
  for (const HandedIn& work : class_work) {
    if (work.file.ends_with(".toml")) continue;
    std::string words = words_of(work.text);
    if (words.empty() || left_out[work.file].contains(words)) continue;
    groups[{work.file, std::move(words)}].insert(work.student);
  }
  std::vector<IdenticalWork> result;
  for (const auto& [what, students] : groups) {
    if (students.size() < 2) continue;
    result.push_back({what.first, {students.begin(), students.end()}});
  }
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
    return a.students.size() > b.students.size();
  });
  return result;
}

std::string identical_csv(const std::vector<IdenticalWork>& groups) {
  std::string csv = "group,file,student\n";
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const std::string& student : groups[i].students) {
      csv += fmt::format("{},{},{}\n", i + 1, csv_field(groups[i].file), csv_field(student));
    }
  }
  return csv;
}

}  // namespace grader
