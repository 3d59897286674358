// SPDX-License-Identifier: MIT
// The shapes, listed.
#include "shapes.hpp"

#include <fstream>

#include "base/files.hpp"

namespace adversarial {
namespace {

namespace fs = std::filesystem;

const fs::path kCourse = RL_SOURCE;
const std::string kFormulas = "02-peaks/formulas.cpp";

std::string course_file(const std::string& file) {
  return base::read_file(kCourse / file);
}

const std::string kStarter = course_file("topics/02-peaks/formulas.cpp");
const std::string kSum1 = course_file("solutions/01-ai-basics/code/sum.cu");
const std::string kSum2 = course_file("solutions/02-peaks/code/sum.cu");
const std::string kAnswer2 = "[\"02.saxpy.ai\"]\nvalue = \"1\"\n";
const std::string kAnswer3 = "[\"03.model.ridge\"]\nvalue = \"1\"\n";

std::string two_bytes_a_letter(const std::string& text) {
  std::string wide = "\xff\xfe";
  for (const char c : text) wide += {c, '\0'};
  return wide;
}

fs::path write_text(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

}  // namespace

std::string other_attempt(const std::string& formulas) {
  return formulas + "#error this is another attempt\n";
}

std::string with_windows_lines(const std::string& text) {
  std::string windows;
  for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return windows;
}

std::vector<HandIn> hand_ins(const Work& work) {
  const std::string other = other_attempt(work.formulas);
  const std::string windows = with_windows_lines(work.formulas);
  const std::string wide = two_bytes_a_letter(work.formulas);
  return {
      {"the folder topics",
       {{"topics/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}}},
      {"a topic's folder",
       {{"02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}}},
      {"a folder that a platform adds",
       {{"ada-main-8f2c/topics/02-peaks/formulas.cpp", work.formulas},
        {"ada-main-8f2c/README.md", "hi"}},
       {{kFormulas, work.formulas}}},
      {"fifteen folders deep",
       {{"a/b/c/d/e/f/g/h/i/j/k/l/m/n/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}}},
      {"a source alone, its topic known by what it registers",
       {{"formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}}},
      {"a kernel alone", {{"saxpy.cu", work.saxpy}}, {{"02-peaks/code/saxpy.cu", work.saxpy}}},
      {"a kernel in folders of the student's own",
       {{"Topic2/Saxpy/saxpy.cu", work.saxpy}},
       {{"02-peaks/code/saxpy.cu", work.saxpy}}},
      {"a kernel in the topic's folder, without code/",
       {{"02-peaks/saxpy.cu", work.saxpy}},
       {{"02-peaks/code/saxpy.cu", work.saxpy}}},
      {"a kernel under another name",
       {{"my_saxpy (1).cu", work.saxpy}},
       {{"02-peaks/code/saxpy.cu", work.saxpy}}},
      {"kernels of one name of two topics, in their folders",
       {{"01-ai-basics/code/sum.cu", kSum1}, {"02-peaks/code/sum.cu", kSum2}},
       {{"01-ai-basics/code/sum.cu", kSum1}, {"02-peaks/code/sum.cu", kSum2}}},
      {"a kernel alone whose name two topics use",
       {{"sum.cu", kSum1}},
       {{"01-ai-basics/code/sum.cu", kSum1}}},
      {"answers alone, their topic known by the ids",
       {{"answers.toml", kAnswer3}},
       {{"03-roofline-modeling/answers.toml", kAnswer3}}},
      {"answers in capitals",
       {{"ANSWERS.TOML", kAnswer3}},
       {{"03-roofline-modeling/answers.toml", kAnswer3}}},
      {"answers of two topics in one file",
       {{"answers.toml", kAnswer2 + kAnswer3}},
       {{"02-peaks/answers.toml", kAnswer2 + kAnswer3},
        {"03-roofline-modeling/answers.toml", kAnswer2 + kAnswer3}}},
      {"answers of four topics",
       {{"01-ai-basics/answers.toml", "1"},
        {"02-peaks/answers.toml", "2"},
        {"03-roofline-modeling/answers.toml", "3"}},
       {{"01-ai-basics/answers.toml", "1"},
        {"02-peaks/answers.toml", "2"},
        {"03-roofline-modeling/answers.toml", "3"}}},
      {"a name with letters beyond ASCII",
       {{"Müller, Zoë/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}}},
      {"the handout as it was, with the kept starters first",
       {{".starters/02-peaks/formulas.cpp", kStarter},
        {"topics/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}}},
      {"a clone: solutions and tests are not a hand-in",
       {{"solutions/02-peaks/formulas.cpp", other},
        {"tests/wrong/02-peaks/formulas/x.cpp", other},
        {"topics/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       "tests/wrong/02-peaks/formulas/x.cpp is not taken: no topic asks for it, and it is not as "
       "in "
       "the course"},
      {"a clone in a folder, as it was",
       {{"repo/solutions/02-peaks/formulas.cpp", other},
        {"repo/tests/support/catch2_main.cpp", course_file("tests/support/catch2_main.cpp")},
        {"repo/base/include/base/hex.hpp", course_file("base/include/base/hex.hpp")},
        {"repo/topics/02-peaks/formulas.hpp", course_file("topics/02-peaks/formulas.hpp")},
        {"repo/topics/02-peaks/exercises.toml", "a handout's"},
        {"repo/topics/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}}},
      {"a clone of Windows",
       {{"tests/support/catch2_main.cpp",
         with_windows_lines(course_file("tests/support/catch2_main.cpp"))},
        {"topics/02-peaks/formulas.cpp", windows}},
       {{kFormulas, windows}}},
      {"a changed test and a changed header of a copy of the course are named",
       {{"tests/support/catch2_main.cpp", "// changed\n"},
        {"topics/02-peaks/formulas.hpp", "// changed\n"},
        {"topics/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       "tests/support/catch2_main.cpp, topics/02-peaks/formulas.hpp are not taken: no topic asks "
       "for them, and they are not as in the course"},
      {"a build folder with copies",
       {{"out/CMakeCache.txt", ""},
        {"out/02-peaks/formulas.cpp", other},
        {"x/y/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}}},
      {"what macOS adds",
       {{"__MACOSX/02-peaks/._formulas.cpp", "x"},
        {"02-peaks/._formulas.cpp", "x"},
        {"02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}}},
      {"answers that a browser numbered",
       {{"02-peaks/answers (1).toml", kAnswer2}},
       {{"02-peaks/answers.toml", kAnswer2}}},
      {"an editor's backup beside the work is named",
       {{"02-peaks/formulas.cpp~", other}, {"02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       "formulas.cpp~ is not taken; is it meant as formulas.cpp?"},
      {"a repository with its history",
       {{"repo/.git/config", "x"},
        {"repo/.git/modules/02-peaks/formulas.cpp", other},
        {"repo/topics/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}}},
      {"a drive's letter in the path",
       {{"C:/ada/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}}},
      {"the same file twice",
       {{"02-peaks copy/02-peaks/formulas.cpp", work.formulas},
        {"02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}}},
      {"two attempts in one archive: the one nearer to the top",
       {{"old/02-peaks/formulas.cpp", other}, {"02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       "used: 02-peaks/formulas.cpp; left: old/02-peaks/formulas.cpp"},
      {"a whole path before a name alone",
       {{"formulas.cpp", other}, {"a/topics/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       "left: formulas.cpp"},
      {"work at the top, and the starter where it was",
       {{"topics/02-peaks/formulas.cpp", kStarter}, {"formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}}},
      {"nothing but the starter",
       {{"topics/02-peaks/formulas.cpp", kStarter}},
       {{kFormulas, kStarter}}},
      {"work in a folder that is called solutions is named",
       {{"solutions/formulas.cpp", work.formulas}, {"02-peaks/answers.toml", kAnswer2}},
       {{"02-peaks/answers.toml", kAnswer2}},
       "folders named solutions or build are not graded; ignored in them: solutions/formulas.cpp"},
      {"work in a folder that is called build is named",
       {{"build/02-peaks/formulas.cpp", work.formulas}, {"02-peaks/answers.toml", kAnswer2}},
       {{"02-peaks/answers.toml", kAnswer2}},
       "ignored in them: build/02-peaks/formulas.cpp"},
      {"a build folder called build is not worth a word",
       {{"build/cpu/CMakeCache.txt", ""},
        {"build/cpu/02-peaks/formulas.cpp", other},
        {"02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}}},
      {"a report beside the work is named",
       {{"report.pdf", std::string(3 << 20, 'x')}, {"02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       "report.pdf is not taken: no topic asks for it"},
      {"headers, notebooks and programs beside the work are named in one note",
       {{"02-peaks/helper.hpp", "x"},
        {"02-peaks/my_kernel.cuh", "x"},
        {"docs/pages/instructor_guide.md", "the course's, changed"},
        {"saxpy", "x"},
        {"saxpy.ipynb", "x"},
        {"saxpy.py", "x"},
        {"thesis.pdf", "x"},
        {"02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       "02-peaks/helper.hpp, 02-peaks/my_kernel.cuh, saxpy, saxpy.ipynb, saxpy.py and others are "
       "not taken: no topic asks for them"},
      {"a kernel in the folder of another topic, where only one asks for its name",
       {{"01-ai-basics/saxpy.cu", work.saxpy}},
       {{"02-peaks/code/saxpy.cu", work.saxpy}},
       "01-ai-basics/saxpy.cu is taken as 02-peaks/code/saxpy.cu, where it belongs"},
      {"a kernel in another topic's folder, and in its own",
       {{"topics/01-ai-basics/code/saxpy.cu", "// a copy\n"}, {"02-peaks/saxpy.cu", work.saxpy}},
       {{"02-peaks/code/saxpy.cu", work.saxpy}},
       "used: 02-peaks/saxpy.cu; left: topics/01-ai-basics/code/saxpy.cu"},
      {"a source with another ending is named",
       {{"02-peaks/saxpy.cu.txt", work.saxpy}, {"02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       "saxpy.cu.txt is not taken; is it meant as saxpy.cu?"},
      {"a source with the ending of another language is named",
       {{"02-peaks/saxpy.cc", work.saxpy}, {"02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       "saxpy.cc is not taken; is it meant as saxpy.cu?"},
      {"answers as plain text are named",
       {{"02-peaks/Answers.txt", kAnswer2}, {"02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       "Answers.txt is not taken; is it meant as answers.toml?"},
      {"a source with the line ends of Windows",
       {{"formulas.cpp", windows}},
       {{kFormulas, windows}}},
      {"a source in UTF-16 is named",
       {{"02-peaks/formulas.cpp", wide}},
       {{kFormulas, wide}},
       "02-peaks/formulas.cpp is written in UTF-16; save it as UTF-8"},
      {"a folder with blanks, brackets and a percent sign",
       {{"HW 2 (final) 100%/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}}},
      {"paths of Windows that were unpacked as names",
       {{"ada\\02-peaks\\code\\sum.cu", kSum2}},
       {{"02-peaks/code/sum.cu", kSum2}}},
      {"an archive in an archive is named",
       {{"code.zip", "x"}, {"02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       "code.zip is an archive in an archive",
       {},
       false},
      {"nothing but a report", {{"report.pdf", "x"}}, {}, "it holds report.pdf"},
      {"a source that no topic asks for", {{"notes.cpp", "int x;"}}, {}, "notes.cpp is not taken"},
      {"paths as Windows stores them",
       {{"ada\\02-peaks\\formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       {},
       {},
       false},

      {"names that differ only in capitals",
       {{"02-peaks/Formulas.cpp", other}, {"02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       "used: 02-peaks/formulas.cpp; left: 02-peaks/Formulas.cpp",
       "the name as it is asked for counts"},
      {"a path of 500 folders",
       {{[] {
           std::string deep;
           for (int i = 0; i < 500; ++i) deep += "d/";
           return deep;
         }() +
             "formulas.cpp",
         other},
        {"02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       "used: 02-peaks/formulas.cpp",
       "fewer folders count before more; names are cut before they are shown",
       false},
      {"an idle student's clone brings the solutions",
       {{"solutions/02-peaks/formulas.cpp", work.formulas},
        {"topics/02-peaks/formulas.cpp", kStarter}},
       {{kFormulas, kStarter}},
       {},
       "a folder solutions is never a hand-in"},
      {"wrong solutions of the course's tests, for a point here and there",
       {{"tests/wrong/02-peaks/formulas.cpp", other}, {"topics/02-peaks/formulas.cpp", kStarter}},
       {{kFormulas, kStarter}},
       "tests/wrong/02-peaks/formulas.cpp is not taken",
       "of a copy of the course only topics/ is taken"},
      {"an exercises.toml of one's own",
       {{"topics/02-peaks/exercises.toml", "x"}, {"topics/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       {},
       "only files that exercises.toml names are taken"},
      {"an oracle, a check and a header of one's own",
       {{"topics/02-peaks/oracle/oracle.cpp", "x"},
        {"topics/02-peaks/checks/saxpy.cpp", "x"},
        {"topics/02-peaks/formulas.hpp", "#error"},
        {"topics/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       "oracle.cpp is not taken",
       "only files that exercises.toml names are taken"},
      {"build files that run commands",
       {{"CMakeLists.txt", "execute_process(COMMAND rm -rf /)"},
        {"02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       {},
       "only files that exercises.toml names are taken"},
      {"a link to the solution",
       {{"02-peaks/formulas.cpp", "", (kCourse / "solutions/02-peaks/formulas.cpp").string()}},
       {},
       "is a link or not a regular file",
       "links are not followed"},
      {"a link to a folder outside, and a file that would be written through it",
       {{"work", "", "/tmp"}, {"work/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       "work is not taken: no topic asks for it",
       "paths in archives are names; nothing is unpacked to disk",
       false},
      {"a path that leads out of the archive",
       {{"../../../../tmp/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       {},
       "paths in archives are names; nothing is unpacked to disk",
       false},
      {"an absolute path",
       {{"/etc/02-peaks/formulas.cpp", work.formulas}},
       {{kFormulas, work.formulas}},
       {},
       "paths in archives are names; nothing is unpacked to disk",
       false},
      {"a source of 20 MB",
       {{"02-peaks/formulas.cpp", std::string(20 << 20, ' ')}, {"saxpy.cu", work.saxpy}},
       {{"02-peaks/code/saxpy.cu", work.saxpy}},
       "is larger than 1 MB",
       "files beyond 1 MB are left"},
      {"a name that clears the terminal",
       {{"\x1b[2J\x1b[31m.cpp", "int x;"}},
       {},
       ".cpp is not taken",
       "names are cleaned before they are shown"},
      {"a name that turns the writing round",
       {{"a\xe2\x80\xaexyz.cpp", "int x;"}},
       {},
       "a?xyz.cpp is not taken",
       "names are cleaned before they are shown"},
      {"answers for a topic in the folder of another",
       {{"03-roofline-modeling/formulas.cpp", work.formulas}},
       {{"03-roofline-modeling/formulas.cpp", work.formulas}},
       {},
       "the path decides where there is one"},
  };
}

void write_folder(const HandIn& hand_in, const fs::path& folder) {
  for (const support::Entry& e : hand_in.entries) {
    const fs::path file = folder / e.path;
    fs::create_directories(file.parent_path());
    if (e.link.empty()) {
      write_text(file, e.content);
    } else {
      fs::create_symlink(e.link, file);
    }
  }
}

const std::vector<BadArchive>& bad_archives() {
  static const std::vector<BadArchive> kAll = {
      {"text that is called .zip", "libarchive refuses it", "damaged",
       [](const fs::path& stem) { return write_text(stem.string() + ".zip", "no archive"); }},
      {"a file compressed three times, 4 KB for 200 GB", "one layer of compression is unpacked",
       "more than once",
       [](const fs::path& stem) {
         return write_text(stem.string() + ".tar.gz", support::triple_bomb());
       }},
      {"a list of files of this machine instead of content (mtree)", "formats are named one by one",
       "damaged",
       [](const fs::path& stem) {
         return write_text(stem.string() + ".tar",
                           "#mtree\n./02-peaks/formulas.cpp type=file contents=" +
                               (kCourse / "solutions/02-peaks/formulas.cpp").string() + "\n");
       }},
      {"an archive cut in the middle", "libarchive refuses it", "damaged",
       [](const fs::path& stem) {
         fs::path file = support::write_archive(
             stem.string() + ".tar.gz",
             {{kFormulas, course_file("solutions/02-peaks/formulas.cpp") +
                              course_file("solutions/02-peaks/code/saxpy.cu")}});
         fs::resize_file(file, fs::file_size(file) / 2);
         return file;
       }},
  };
  return kAll;
}

}  // namespace adversarial
