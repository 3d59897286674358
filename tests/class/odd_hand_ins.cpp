// SPDX-License-Identifier: MIT
// The shapes of hand-ins, one after the other.
#include "odd_hand_ins.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <numeric>

#include "bad_sources.hpp"
#include "base/files.hpp"
#include "contents.hpp"
#include "grader/exercise/wrong_solution.hpp"
#include "shapes.hpp"
#include "support/temporary_folder.hpp"

namespace odd {
namespace {

namespace fs = std::filesystem;
using support::Entry;
using support::write_text;

const std::string kTopic = "02-peaks/";
const std::string kFormulas = "formulas.cpp";
const std::string kAnswers = "answers.toml";
const std::string kSaxpy = "code/saxpy.cu";

/// Everything is judged as written.
Outcome everything(const Student& s) {
  return {s.work};
}

/// All except one file, for which `text` is judged and earns nothing.
Outcome all_but(const Student& s, const std::string& file, const std::string& text) {
  Outcome outcome{s.work, {{file, text}}};
  outcome.earns.erase(file);
  return outcome;
}

Outcome all_but(const Student& s, const std::string& file) {
  Outcome outcome = everything(s);
  outcome.earns.erase(file);
  return outcome;
}

/// The student's work below `prefix`.
std::vector<Entry> entries_of(const Student& s, const std::string& prefix) {
  std::vector<Entry> entries;
  for (const auto& [file, text] : s.work) entries.push_back({prefix + kTopic + file, text});
  return entries;
}

/// Files of the course inside a folder of the student's archive.
void add_course(const Student& s, const std::string& from, const std::string& as,
                std::vector<Entry>& entries) {
  for (const auto& [file, text] : s.work) {
    const fs::path path = s.root / from / kTopic / file;
    if (fs::exists(path)) entries.push_back({as + kTopic + file, base::read_file(path)});
  }
}

void write_work(const Student& s, const std::string& folder) {
  for (const auto& [file, text] : s.work) write_text(s.in / folder / kTopic / file, text);
}

HandIn archive(const std::string& name, const std::string& ending, const std::string& prefix) {
  return {name, [=](const Student& s) {
            std::string lower = ending;  // in lower case, which determines the format
            std::transform(lower.begin(), lower.end(), lower.begin(), ::tolower);
            const fs::path file = s.in / (s.id + lower);
            support::write_archive(file, entries_of(s, prefix));
            fs::rename(file, s.in / (s.id + ending));
            return everything(s);
          }};
}

/// Correct work except for its formulas, which are `source`; a comment makes them unique to the
/// student.
HandIn bad_formulas(const std::string& name,
                    const std::function<std::string(const Student&)>& source) {
  return {name, [=](const Student& s) {
            write_work(s, s.id);
            const std::string text = source(s) + "\n// of " + s.id + "\n";
            write_text(s.in / s.id / kTopic / kFormulas, text);
            return all_but(s, kFormulas, text);
          }};
}

/// The correct formulas, each of which first does something else.
std::string formulas_that(const Student& s, const std::string& head, const std::string& statement) {
  const std::string mark = "  //@solve";  // once in every function
  std::string text = s.work.at(kFormulas);
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    text.insert(at, "  " + statement + "\n");
    at += statement.size() + 4 + mark.size();
  }
  return head + "\n" + text;
}

std::vector<HandIn> honest() {
  return {
      {"a zipped handout, the kept starters first",
       [](const Student& s) {
         std::vector<Entry> entries;
         add_course(s, "topics", ".starters/", entries);
         for (Entry& e : entries_of(s, "topics/")) entries.push_back(std::move(e));
         support::write_archive(s.in / (s.id + ".zip"), entries);
         return everything(s);
       }},
      {"a clone with solutions and a build folder before the work",
       [](const Student& s) {
         std::vector<Entry> entries = {{"repo/build/CMakeCache.txt", ""}};
         add_course(s, "topics", "repo/build/", entries);
         add_course(s, "solutions", "repo/solutions/", entries);
         for (Entry& e : entries_of(s, "repo/topics/")) entries.push_back(std::move(e));
         support::write_archive(s.in / (s.id + ".tar.gz"), entries);
         return everything(s);
       }},
      {"all topics in one, the others first",
       [](const Student& s) {
         std::vector<Entry> entries = {
             {"01-ai-basics/answers.toml", "[\"01.sum.ai\"]\nvalue = \"1\"\n"},
             {"01-ai-basics/formulas.cpp", "int not_of_this_topic;\n"},
             {"01-ai-basics/code/sum.cu", "int not_of_this_topic;\n"},
             {"03-roofline-modeling/answers.toml", "[\"03.model.ridge\"]\nvalue = \"1\"\n"}};
         for (Entry& e : entries_of(s, "")) entries.push_back(std::move(e));
         support::write_archive(s.in / (s.id + ".tar.bz2"), entries);
         return everything(s);
       }},
      archive("names beyond ASCII", ".zip", "Müller, Zoë/Übung 2/"),
      archive("a tar.xz", ".tar.xz", "topics/"),
      archive("a 7z", ".7z", "lab/topics/"),
      archive("an ending in capitals", ".TGZ", ""),
      {"a byte order mark, CRLF and tabs in the answers",
       [](const Student& s) {
         write_work(s, s.id);
         std::string text = "\xef\xbb\xbf";
         for (const char c : s.work.at(kAnswers)) {
           text += c == '\n' ? "\r\n" : c == ' ' ? "\t" : std::string(1, c);
         }
         write_text(s.in / s.id / kTopic / kAnswers, text);
         return everything(s);
       }},
      {"an archive in the folder that a platform made",
       [](const Student& s) {
         const fs::path folder = s.in / (s.id + "_4711_assignsubmission_file");
         fs::create_directories(folder);
         support::write_archive(folder / "my work (final).zip", entries_of(s, ""));
         return everything(s);
       }},
      {"three attempts, the last of them right",
       [](const Student& s) {
         write_text(s.in / (s.id + "_attempt_1") / kTopic / kFormulas, "this is no C++\n");
         write_text(s.in / (s.id + "_attempt_9") / kTopic / kAnswers, "[\n");
         write_work(s, s.id + "_attempt_10");
         return everything(s);
       }},
      {"one id as a folder and as an archive with the same work",
       [](const Student& s) {
         write_work(s, s.id);
         support::write_archive(s.in / (s.id + ".zip"), entries_of(s, "topics/"));
         return everything(s);
       }},
      {"files without folders",
       [](const Student& s) {
         for (const auto& [file, text] : s.work) {
           write_text(s.in / s.id / fs::path(file).filename(), text);
         }
         return everything(s);
       }},
      {"folders of the student's own",
       [](const Student& s) {
         write_text(s.in / s.id / "Topic2/Saxpy/my_saxpy.cu", s.work.at(kSaxpy));
         write_text(s.in / s.id / "Topic2/Formulas/formulas.cpp", s.work.at(kFormulas));
         write_text(s.in / s.id / "Numbers/answers.toml", s.work.at(kAnswers));
         return everything(s);
       }},
      {"an id that begins another's, and work of the longer one alone",
       [](const Student& s) {
         write_work(s, s.id);
         return everything(s);
       },
       "-mueller"},
      {"a source without a folder",
       [](const Student& s) {
         write_text(s.in / (s.id + "_formulas.cpp"), s.work.at(kFormulas));
         return Outcome{{{kFormulas, s.work.at(kFormulas)}}};
       }},
      {"the starter beside the work, and a report",
       [](const Student& s) {
         write_work(s, s.id + "/mine");
         write_text(s.in / s.id / kTopic / kFormulas,
                    base::read_file(s.root / "topics" / kTopic / kFormulas));
         write_text(s.in / s.id / "report.pdf", std::string(2 << 20, 'x'));
         return everything(s);
       }},
  };
}

std::vector<HandIn> attacks() {
  return {
      {"an idle clone, solutions first",
       [](const Student& s) {
         std::vector<Entry> entries;
         add_course(s, "solutions", "solutions/", entries);
         add_course(s, "topics", "topics/", entries);
         support::write_archive(s.in / (s.id + ".zip"), entries);
         Outcome nothing;
         for (const Entry& e : entries) {
           const std::string place = "topics/" + kTopic;
           const bool is_source = !e.path.ends_with(".toml");
           if (!e.path.starts_with(place) || !is_source) continue;
           nothing.refused[e.path.substr(place.size())] = e.content;
         }
         return nothing;
       }},
      {"a few kilobytes that unfold to 200 GB",
       [](const Student& s) {
         write_text(s.in / (s.id + ".tar.gz"), support::triple_bomb());
         return Outcome{{}, {}, true};
       }},
      bad_formulas("formulas that sleep",
                   [](const Student& s) {
                     return formulas_that(s, "#include <unistd.h>", "::sleep(100000);");
                   }),
      bad_formulas("formulas that sleep before main",
                   [](const Student& s) {
                     return "#include <unistd.h>\nstatic const int slept = ::sleep(100000);\n" +
                            s.work.at(kFormulas);
                   }),
      {"a kernel that takes shared memory and lets it go",
       [](const Student& s) {
         write_work(s, s.id);
         std::string text = "#include <sys/mman.h>\n#include <cstring>\n" + s.work.at(kSaxpy);
         text += R"(
static const bool took = [] {
  const std::size_t all = std::size_t{64} << 30, piece = std::size_t{16} << 20;
  char* memory = static_cast<char*>(
      mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  for (std::size_t at = 0; at < all; at += piece) {
    std::memset(memory + at, 1, piece);
    madvise(memory + at, piece, MADV_DONTNEED);
  }
  return true;
}();
)";
         write_text(s.in / s.id / kTopic / kSaxpy, text);
         return all_but(s, kSaxpy, text);
       }},
      bad_formulas("formulas that take all memory",
                   [](const Student& s) {
                     return formulas_that(s, "#include <vector>",
                                          "for (std::vector<std::vector<char>> all;;) "
                                          "all.emplace_back(std::size_t{1} << 24, '\\1');");
                   }),
      bad_formulas("formulas that leave before main",
                   [](const Student& s) {
                     return "#include <unistd.h>\nstatic const int left = (_exit(0), 0);\n" +
                            s.work.at(kFormulas);
                   }),
      bad_formulas("formulas that overwrite a file of the class and start a shell",
                   [](const Student& s) {
                     return formulas_that(
                         s, "#include <cstdio>\n#include <cstdlib>",
                         "if (std::FILE* f = std::fopen(\"" + s.canary.string() +
                             "\", \"w\")) std::fputs(\"x\", f); "
                             "if (std::system(\"kill -9 -1\") != 77) std::abort();");
                   }),
      bad_formulas("formulas that include the solution",
                   [](const Student& s) {
                     return "#include \"" + (s.root / "solutions" / kTopic / kFormulas).string() +
                            "\"";
                   }),
      bad_formulas(
          "formulas with a constructor",
          [](const Student& s) {
            return s.work.at(kFormulas) +
                   "\nvolatile int early_calls;\n"
                   "__attribute__((constructor)) static void early() { early_calls = 1; }\n";
          }),
      bad_formulas("formulas with an allocator for everybody",
                   [](const Student& s) {
                     return "#include <cstdlib>\nvoid* operator new(std::size_t n) { return "
                            "std::malloc(n); }\n" +
                            s.work.at(kFormulas);
                   }),
      bad_formulas("formulas that unfold a template without end",
                   [](const Student&) {
                     return "template <int n> struct S { S<n + 1> next; };\nS<0> s;\n";
                   }),
      {"a link to the solution",
       [](const Student& s) {
         write_work(s, s.id);
         const fs::path file = s.in / s.id / kTopic / kFormulas;
         fs::remove(file);
         fs::create_symlink(s.root / "solutions" / kTopic / kFormulas, file);
         return all_but(s, kFormulas);
       }},
      {"a pipe in the place of a source",
       [](const Student& s) {
         write_work(s, s.id);
         const fs::path file = s.in / s.id / kTopic / kFormulas;
         fs::remove(file);
         ::mkfifo(file.c_str(), 0644);
         return all_but(s, kFormulas);
       }},
      {"paths that lead out of the archive",
       [](const Student& s) {
         std::vector<Entry> entries = {{"../../" + s.canary.filename().string(), "x"},
                                       {s.canary.string(), "x"}};
         for (Entry& e : entries_of(s, "../../../")) entries.push_back(std::move(e));
         support::write_archive(s.in / (s.id + ".tar.gz"), entries);
         return everything(s);
       }},
      {"an archive locked by a password",
       [](const Student& s) {
         support::write_archive(s.in / (s.id + ".zip"), entries_of(s, ""), "secret");
         return Outcome{};
       }},
      {"an archive that ends in its middle",
       [](const Student& s) {
         const fs::path file = support::write_archive(s.in / (s.id + ".tar.gz"), entries_of(s, ""));
         fs::resize_file(file, fs::file_size(file) / 2);
         return Outcome{{}, {}, true};
       }},
  };
}

/// Correct work except for one file.
HandIn other_file(const std::string& name, const std::string& file, bool is_right,
                  const std::function<std::string(const Student&)>& source) {
  return {name, [=](const Student& s) {
            Student changed = s;
            changed.work[file] = source(s) + "\n// of " + s.id + "\n";
            write_work(changed, s.id);
            return is_right ? everything(changed) : all_but(s, file, changed.work.at(file));
          }};
}

/// The outcome for a shape of tests/adversarial: a file of topic 02 that is read as written, except
/// for its line ends, earns its points.
Outcome outcome_of(const Student& s, const adversarial::HandIn& shape) {
  Outcome outcome;
  for (const auto& [path, text] : shape.taken) {
    if (!path.starts_with(kTopic)) continue;
    const std::string file = path.substr(kTopic.size());
    std::string lines = text;
    std::erase(lines, '\r');
    const bool is_answers = file == kAnswers;
    const fs::path solution = s.root / "solutions" / kTopic / file;
    const auto own = s.work.find(file);
    const bool is_right = !is_answers && ((own != s.work.end() && lines == own->second) ||
                                          lines == base::read_file(solution));
    if (!is_answers) (is_right ? outcome.earns : outcome.refused)[file] = text;
  }
  return outcome;
}

std::vector<HandIn> shapes() {
  std::vector<HandIn> result;
  const auto shapes_of = [](const Student& s) {
    return adversarial::hand_ins({s.work.at(kFormulas), s.work.at(kSaxpy)});
  };
  const std::vector<adversarial::HandIn> named = adversarial::hand_ins({});
  for (std::size_t i = 0; i < named.size(); ++i) {
    result.push_back({named[i].name, [=](const Student& s) {
                        const adversarial::HandIn shape = shapes_of(s)[i];
                        if (shape.in_folder && i % 2 == 0) {
                          adversarial::write_folder(shape, s.in / s.id);
                        } else {
                          support::write_archive(s.in / (s.id + (i % 3 == 0 ? ".tar.gz" : ".zip")),
                                                 shape.entries);
                        }
                        return outcome_of(s, shape);
                      }});
  }
  for (const adversarial::BadArchive& bad : adversarial::bad_archives()) {
    result.push_back({bad.name, [&bad](const Student& s) {
                        bad.make(s.in / s.id);
                        return Outcome{{}, {}, true};
                      }});
  }
  return result;
}

std::vector<HandIn> sources() {
  std::vector<HandIn> result;
  for (const adversarial::Source& source : adversarial::sources()) {
    if (source.is_whole) continue;
    const std::string& file = source.what == grader::ObjectOf::kKernel ? kSaxpy : kFormulas;
    result.push_back(other_file(
        "in the object: " + source.name, file, source.refusal.empty(),
        [&source, file](const Student& s) { return s.work.at(file) + "\n" + source.code; }));
  }
  for (const adversarial::Reach& reach : adversarial::out_of_reach()) {
    result.push_back(other_file(
        "formulas that include " + reach.name, kFormulas, false, [reach](const Student& s) {
          return "#include \"" + reach.file.string() + "\"\n" + s.work.at(kFormulas);
        }));
  }
  result.push_back(other_file(
      "formulas that include what a classmate handed in", kFormulas, false, [](const Student& s) {
        return "#include \"" + (s.in / "student000" / "topics" / kTopic / kFormulas).string() +
               "\"\n";
      }));
  for (const std::string& way : adversarial::ways_to_hide()) {
    result.push_back(
        other_file("a kernel that hides its reads by " + way, kSaxpy, false,
                   [way](const Student&) { return adversarial::kernel_that_hides({way}); }));
  }
  result.push_back(other_file("a kernel that reads in a function of its own", kSaxpy, true,
                              [](const Student&) { return adversarial::kernel_that_hides({""}); }));
  return result;
}

/// Correct work except for one answer, which is written as `value`.
HandIn other_number(const std::string& value, bool is_right) {
  // The same for everybody, and spelt out in the corpus: 1/6 FLOP/B.
  const std::string exercise = "02.saxpy.ai";
  return {"the number " + value, [=](const Student& s) {
            Student changed = s;
            std::string& answers = changed.work.at(kAnswers);
            const std::string mark = "[\"" + exercise + "\"]\nvalue = \"";
            const std::size_t begin = answers.find(mark) + mark.size();
            answers.replace(begin, answers.find('"', begin) - begin, value);
            write_work(changed, s.id);
            Outcome outcome = everything(changed);
            if (!is_right) outcome.lost = {exercise};
            return outcome;
          }};
}

std::vector<HandIn> numbers() {
  std::vector<HandIn> result;
  for (const std::string& value : adversarial::number_tricks()) {
    result.push_back(other_number(value, false));
  }
  for (const std::string& value : adversarial::honest_numbers()) {
    result.push_back(other_number(value, true));
  }
  return result;
}

std::vector<HandIn> kernels() {
  const fs::path root = RL_SOURCE;
  std::vector<HandIn> result;
  for (const Bad& bad : hostile_kernels(root)) {
    result.push_back(other_file("the kernel " + bad.file.filename().string(), kSaxpy, false,
                                [text = bad.text](const Student&) { return text; }));
  }
  // A kernel of tests/honest/TOPIC/PROGRAM, or PROGRAM.cu, instead of the course's.
  for (const auto& entry : fs::recursive_directory_iterator(root / "tests/honest" / kTopic)) {
    if (!entry.is_regular_file()) continue;
    const std::string text = grader::wrong_solution(root, entry.path());
    if (text.find(".counted |") != std::string::npos) continue;  // these only have a checked form
    const bool is_change = entry.path().extension() == ".diff";
    const fs::path program = is_change ? entry.path().parent_path() : entry.path().stem();
    const std::string file = "code/" + program.filename().string() + ".cu";
    result.push_back(other_file("the honest " + entry.path().filename().string() + " for " + file,
                                file, true, [text](const Student&) { return text; }));
  }
  return result;
}

}  // namespace

const std::vector<HandIn>& all() {
  static const std::vector<HandIn> kAll = [] {
    std::vector<HandIn> result;
    for (const auto& kind : {honest(), attacks(), shapes(), sources(), numbers(), kernels()}) {
      result.insert(result.end(), kind.begin(), kind.end());
    }
    return result;
  }();
  return kAll;
}

const HandIn& drawn(std::size_t number) {
  // Steps of the golden section spread any few over the list; if the step is coprime to the size,
  // all are visited.
  const std::size_t size = all().size();
  std::size_t step = static_cast<std::size_t>(0.618 * static_cast<double>(size));
  while (std::gcd(step, size) != 1) ++step;
  return all()[number * step % size];
}

}  // namespace odd
