// SPDX-License-Identifier: MIT
// Program `grader`: judges exercises, derives starters and wrong solutions, generates tests, prints
// reports.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "base/completion.hpp"
#include "base/files.hpp"
#include "base/help.hpp"
#include "base/program.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"
#include "grader/batch/batch.hpp"
#include "grader/batch/result_files.hpp"
#include "grader/batch/slurm.hpp"
#include "grader/exercise/check_solutions.hpp"
#include "grader/exercise/names.hpp"
#include "grader/exercise/new_exercise.hpp"
#include "grader/exercise/seed.hpp"
#include "grader/exercise/starter.hpp"
#include "grader/exercise/variant.hpp"
#include "grader/exercise/wrong_solution.hpp"
#include "grader/handout/export_student.hpp"
#include "grader/handout/student_handouts.hpp"
#include "grader/judge/judge_all.hpp"
#include "grader/program/build_tree.hpp"
#include "grader/report/ctest.hpp"
#include "grader/report/report.hpp"
#include "roofline/measurement.hpp"
#include "term/term.hpp"

namespace {

namespace fs = std::filesystem;
using namespace grader;

constexpr int kExitNotAllPoints = 1;
constexpr int kExitBroken = 2;
constexpr int kExitSkipped = 77;

/// All topics. @throws std::runtime_error listing every mistake in an exercises.toml.
std::vector<Topic> topics_or_throw(const fs::path& root) {
  std::vector<SchemaError> errors;
  std::vector<Topic> topics = load_topics(root, errors);
  std::string all;
  for (const SchemaError& error : errors) all += describe(error) + "\n";
  if (!all.empty()) throw std::runtime_error(all);
  return topics;
}

struct GradeOptions {
  Workspace workspace;
  std::vector<std::string> exercises;
  std::vector<std::string> kinds;           ///< all when empty
  fs::path results;                         ///< folder for ID.json
  std::map<std::string, fs::path> reports;  ///< by format, files rewritten after every verdict
  bool quiet = false;
  bool expect_unsolved = false;
};

constexpr const char* kFormats[] = {"html",       "json",      "junit",       "csv",
                                    "gradescope", "classroom", "prairielearn"};

/// The results in one format; `build` is the tree whose roofs the HTML page draws.
std::string written_as(const std::string& format, const Results& results, const fs::path& build,
                       const std::map<std::string, std::string>& tasks) {
  if (format == "html") {
    PageFacts facts;
    facts.tasks = tasks;
    facts.roofs = roofs_of(build);
    return results_html(results, facts);
  }
  if (format == "json") return results_json(results);
  if (format == "junit") return junit_xml(results);
  if (format == "csv") return results_csv(results);
  if (format == "gradescope") return gradescope_json(results);
  if (format == "classroom") return classroom_output(results);
  return prairielearn_json(results);
}

void write_report(const fs::path& file, const std::string& content) {
  if (file.has_parent_path()) fs::create_directories(file.parent_path());
  base::write_file_atomically(file, content);
}

/// Writes every format that has a file. Returns whether there was one.
bool write_reports(const std::map<std::string, fs::path>& files, const Results& results,
                   const fs::path& build, const std::map<std::string, std::string>& tasks = {}) {
  bool wrote = false;
  for (const auto& [format, file] : files) {
    if (file.empty()) continue;
    write_report(file, written_as(format, results, build, tasks));
    wrote = true;
  }
  return wrote;
}

/// Results of a run in progress: exercises not judged yet get no points, so that a killed run
/// leaves reports with the right sum and maximum.
Results with_rest(Results results, const std::vector<Exercise>& exercises) {
  for (std::size_t i = results.verdicts.size(); i < exercises.size(); ++i) {
    results.verdicts.push_back(
        not_judged(exercises[i], results.backend, "not judged: the grading ended before its turn"));
  }
  results.complete = false;
  return results;
}

/// Exit code of the proof that a starter is unsolved and earns nothing.
int unsolved_exit_code(const Results& results) {
  for (const Verdict& verdict : results.verdicts) {
    if (!is_counted(verdict.status)) continue;
    if (verdict.status != Status::kUnsolved || verdict.points != 0) {
      std::printf("%s is %s with %g points; a starter must be unsolved with 0\n",
                  verdict.id.c_str(), std::string(name_of(verdict.status)).c_str(), verdict.points);
      return kExitNotAllPoints;
    }
  }
  return 0;
}

/// Exit code of a run: all points, skipped (nothing was judged), or not.
int exit_code(const Results& results) {
  bool judged = false;
  for (const Verdict& verdict : results.verdicts) {
    if (verdict.status == Status::kError) return kExitBroken;
    judged = judged || is_counted(verdict.status);
  }
  if (!judged) return kExitSkipped;
  return results.points() >= results.max_points() - 1e-9 ? 0 : kExitNotAllPoints;
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<Exercise> chosen_exercises(const GradeOptions& options) {
  const std::vector<Topic> topics = topics_or_throw(options.workspace.root);
  require_exercises(topics, options.exercises);
  std::vector<Exercise> chosen;
  for (const Topic& topic : topics) {
    for (const Exercise& exercise : topic.exercises) {
      if (!is_chosen(exercise, options.exercises)) continue;
      if (options.kinds.empty() || contains(options.kinds, name_of(exercise.kind()))) {
        chosen.push_back(exercise);
      }
    }
  }
  return chosen;
}

int run_grade(GradeOptions options) {
  const bool colour = base::colour_wanted();
  const bool is_proof = options.workspace.solutions || options.expect_unsolved;
  options.workspace.seed = chosen_seed(options.workspace.seed, is_proof ? kCourseSeed : 0);
  if (is_proof && !options.quiet) {
    std::printf("Inputs drawn from seed %llu; --seed or ROOFLINE_SEED sets another.\n",
                static_cast<unsigned long long>(options.workspace.seed));
  }
  const std::vector<Exercise> exercises = chosen_exercises(options);
  if (exercises.empty()) {
    std::fprintf(stderr, "grader: no exercise with that id is of that kind\n");
    return kExitBroken;
  }
  std::vector<const Exercise*> chosen;
  std::map<std::string, std::string> tasks;
  for (const Exercise& exercise : exercises) {
    chosen.push_back(&exercise);
    tasks[exercise.id] = task_text(exercise, options.workspace.variant);
  }
  Session session(options.workspace);
  write_reports(options.reports, with_rest(begun(session), exercises), options.workspace.build,
                tasks);
  const Results results = judge_all(
      session, chosen,
      {.before = {}, .after = [&](const Results& so_far) {
         if (!options.quiet) {
           std::fputs(last_terminal_verdict(so_far, colour, base::terminal_columns()).c_str(),
                      stdout);
           std::fflush(stdout);
         }
         if (!options.results.empty()) store_last(so_far, options.results);
         write_reports(options.reports, with_rest(so_far, exercises), options.workspace.build,
                       tasks);
       }});
  write_reports(options.reports, results, options.workspace.build, tasks);
  if (results.verdicts.size() > 1) {
    std::printf("\n%s", terminal_table(results, colour).c_str());
  }
  const int code = exit_code(results);
  if (!options.expect_unsolved || code == kExitSkipped) return code;
  return unsolved_exit_code(results);
}

int run_starter(const fs::path& root, bool write) {
  if (write) {
    for (const fs::path& file : write_starters(root)) std::printf("wrote %s\n", file.c_str());
    return 0;
  }
  const std::vector<std::string> differences = check_starters(root);
  for (const std::string& line : differences) std::printf("%s\n", line.c_str());
  if (differences.empty()) {
    std::printf("%zu starters match their solutions\n", plan_starters(root).size());
    return 0;
  }
  std::printf("Rewrite them with: grader starter --write\n");
  return 1;
}

int run_new_wrong(const fs::path& root, const std::string& id, const std::string& name) {
  for (const Topic& topic : topics_or_throw(root)) {
    for (const Exercise& exercise : topic.exercises) {
      if (exercise.id != id) continue;
      std::printf("wrote %s\n", new_wrong_solution(root, exercise, name).c_str());
      return 0;
    }
  }
  std::fprintf(stderr, "grader new wrong: no exercise %s\n", id.c_str());
  return kExitBroken;
}

/// Creates an exercise and prints the places that its author must change.
int run_new_exercise(const fs::path& root, const std::string& kind, const std::string& topic,
                     const std::string& name) {
  const NewExercise written = new_exercise(root, kind, topic, name);
  std::printf("Created %s. Places to change:\n", written.id.c_str());
  for (const fs::path& file : written.files) {
    std::size_t number = 0;
    for (const std::string& line : base::lines_of(base::read_file(file))) {
      ++number;
      if (line.find("CHANGE") == std::string::npos) continue;
      const std::string place =
          file.lexically_relative(root).string() + ":" + std::to_string(number) + ": " + line;
      std::printf("%.*s\n", static_cast<int>(base::kMostColumns), place.c_str());
    }
  }
  std::printf("\nThen:  tools/check_exercise %s\n", written.id.c_str());
  return 0;
}

int run_ctest(const fs::path& topic, const CTestOptions& options, const fs::path& out) {
  std::vector<SchemaError> errors;
  const Topic loaded = load_topic(topic, errors);
  for (const SchemaError& error : errors) std::fprintf(stderr, "%s\n", describe(error).c_str());
  if (!errors.empty()) return kExitBroken;
  base::write_file_atomically(out, ctest_script(loaded, options));
  return 0;
}

int run_schema(const fs::path& root) {
  const std::vector<Topic> topics = topics_or_throw(root);
  std::string mistakes;
  for (const SchemaError& error : check_solutions(root, topics)) mistakes += describe(error) + "\n";
  if (!mistakes.empty()) throw std::runtime_error(mistakes);
  std::size_t count = 0;
  for (const Topic& topic : topics) count += topic.exercises.size();
  std::printf("%zu exercises, no mistakes in exercises.toml\n", count);
  return 0;
}

struct ReportOptions {
  fs::path table;
  fs::path since;
  fs::path from;
  fs::path build;  ///< whose measured roofs the HTML page draws
  std::map<std::string, fs::path> outputs;
  std::vector<fs::path> diff;  ///< before and after; empty when nothing is compared
};

/// Prints the table, or writes the requested formats.
int run_report(const ReportOptions& options) {
  if (!options.diff.empty()) {
    const std::vector<std::string> lines = differences(options.diff[0], options.diff[1]);
    for (const std::string& line : lines) std::printf("%s\n", line.c_str());
    if (lines.empty()) std::printf("no difference in points\n");
    return 0;
  }
  const Results results = options.from.empty() ? read_results(options.table, options.since)
                                               : parse_results(base::read_file(options.from));
  if (results.verdicts.empty()) {
    std::printf("no results\n");
    return kExitNotAllPoints;
  }
  if (!write_reports(options.outputs, results, options.build)) {
    std::fputs(terminal_table(results, base::colour_wanted()).c_str(), stdout);
  }
  return 0;
}

constexpr std::size_t kShownOfMany = 10;

void print_changes(const std::vector<term::Change>& changes, const fs::path& file) {
  std::printf("%zu change%s since the previous run: %s\n", changes.size(),
              changes.size() == 1 ? "" : "s", file.c_str());
  for (std::size_t i = 0; i < std::min(kShownOfMany, changes.size()); ++i) {
    std::fputs(term::in_words(changes[i]).c_str(), stdout);
  }
  if (changes.size() > kShownOfMany) std::puts("...");
}

int run_book(const term::BookOptions& options) {
  const term::BookSummary summary = term::write_book(options, topics_or_throw(options.root));
  std::printf("%zu students: %s\n", summary.students, (options.out / "book.csv").c_str());
  if (!summary.first) print_changes(summary.changes, options.out / "changes.csv");
  if (summary.problems.empty()) return 0;
  std::printf("needs attention (%s):\n", (options.out / "dashboard.html").c_str());
  for (std::size_t i = 0; i < std::min(kShownOfMany, summary.problems.size()); ++i) {
    std::printf("  %s\n", summary.problems[i].c_str());
  }
  if (summary.problems.size() > kShownOfMany) std::puts("  ...");
  return 0;
}

/// Prints what a person has to look at. Returns the exit code: kBroken if the grader itself failed.
int print_what_is_left(const BatchSummary& summary, const fs::path& out) {
  if (!summary.problems.empty()) {
    const bool is_one = summary.problems.size() == 1;
    std::printf("%zu problem%s with what was handed in: %s\n", summary.problems.size(),
                is_one ? "" : "s", (out / "problems.csv").c_str());
  }
  for (std::size_t i = 0; i < std::min(kShownOfMany, summary.problems.size()); ++i) {
    const auto& [student, problem] = summary.problems[i];
    std::printf("  %s%s%s\n", student.c_str(), student.empty() ? "" : ": ", problem.c_str());
  }
  for (const std::string& trouble : summary.troubles) {
    std::fprintf(stderr, "grader: %s\n", trouble.c_str());
  }
  if (summary.troubles.empty()) return 0;
  const bool is_one = summary.troubles.size() == 1;
  std::fprintf(stderr, "grader: %zu %s not count; fix the cause and run this again\n",
               summary.troubles.size(), is_one ? "result does" : "results do");
  return kExitBroken;
}

/// Prints the students who handed in the same work, apart from the starter and the solution.
void print_identical(const std::vector<IdenticalWork>& groups, const fs::path& file) {
  if (groups.empty()) {
    std::puts("no two students handed in the same kernels or functions");
  } else {
    std::printf("students who handed in identical work: %s\n", file.c_str());
  }
  for (const IdenticalWork& group : groups) {
    std::printf("identical %s: %s\n", group.file.c_str(), base::joined(group.students).c_str());
  }
}

/// Reads "K/N".
void set_slice(const std::string& text, BatchOptions& options) {
  int end = 0;
  const bool read =
      std::sscanf(text.c_str(), "%d/%d%n", &options.slice, &options.slices, &end) == 2 &&
      static_cast<std::size_t>(end) == text.size();
  if (read && options.slice >= 0 && options.slice < options.slices) return;
  throw std::runtime_error("--slice " + text + ": write K/N, with K from 0 to N-1");
}

/// Submits a batch to a cluster and says what happens next.
int run_on_slurm(const BatchOptions& options, const SlurmOptions& slurm) {
  const SlurmJobs jobs = submit_to_slurm(options, slurm);
  const bool is_apart = !jobs.timed.empty();
  if (is_apart) {
    std::printf("job %s grades timed exercises in %d tasks on the nodes that the policy names\n",
                jobs.timed.c_str(), slurm.tasks);
  }
  std::printf("job %s grades%s in %d tasks, job %s merges their results into %s\n",
              jobs.array.c_str(), is_apart ? " the rest" : "", slurm.tasks, jobs.merge.c_str(),
              options.out.c_str());
  const std::string both = is_apart ? jobs.array + "," + jobs.timed : jobs.array;
  std::printf("  to watch: squeue --jobs=%s,%s and the logs in %s\n", both.c_str(),
              jobs.merge.c_str(), (options.out / "slurm").c_str());
  std::printf("  to stop: scancel %s%s%s %s; the same command continues from there\n",
              jobs.array.c_str(), is_apart ? " " : "", jobs.timed.c_str(), jobs.merge.c_str());
  return 0;
}

/// The rules and the course's name are printed on every student's page; the rules also select the
/// nodes on which exercises are timed.
void apply_policy(const fs::path& file, bool has_course, BatchOptions& options,
                  SlurmOptions& slurm) {
  if (file.empty()) return;
  const term::Policy policy =
      term::read_policy(file, topics_or_throw(options.root), term::Stored::kNotYet);
  options.rules = term::in_words(policy);
  if (!has_course) options.course = policy.course;
  slurm.policy = file;
  slurm.timed_options = policy.timed_nodes;
}

int run_batch_command(BatchOptions options, SlurmOptions slurm, const fs::path& secret_file,
                      bool light, bool similarity) {
  if (!secret_file.empty()) options.secret = read_secret(secret_file);
  options.isolation = light ? Isolation::kLight : Isolation::kSandbox;
  slurm.secret_file = secret_file;
  slurm.similarity = similarity;
  if (slurm.tasks > 0) return run_on_slurm(options, slurm);
  const bool terminal = base::colour_wanted();
  options.progress = [&](std::size_t done, std::size_t total, double left) {
    std::printf("%s%zu of %zu, about %.0f s left%s", terminal ? "\r" : "", done, total, left,
                terminal ? "   " : "\n");
    std::fflush(stdout);
  };
  const BatchSummary summary = run_batch(options);
  for (const std::string& change : summary.changes) std::printf("%s\n", change.c_str());
  const double per_minute =
      summary.seconds > 0 ? 60 * static_cast<double>(summary.graded) / summary.seconds : 0;
  std::printf("%s%zu graded, %zu unchanged, %zu without a submission, %.1f s (%.0f a minute)\n",
              terminal ? "\n" : "", summary.graded, summary.reused, summary.missing,
              summary.seconds, per_minute);
  if (summary.kept > 0) {
    std::printf("%zu kept from earlier runs, without a submission that can be read\n",
                summary.kept);
  }
  std::printf("%zu programs compiled, %zu verdicts reused from identical work\n", summary.compiled,
              summary.shared);
  if (summary.alike > 0) {
    std::printf(
        "%zu %s: %s\n", summary.alike,
        summary.alike == 1 ? "pair of submissions looks alike" : "pairs of submissions look alike",
        (options.out / "similarity.csv").c_str());
  }
  if (similarity) print_identical(summary.identical, options.out / "identical.csv");
  return print_what_is_left(summary, options.out);
}

int run_variants(Workspace workspace, const fs::path& secret_file, const fs::path& roster,
                 const fs::path& out) {
  Variant& variant = workspace.variant;
  if (variant.student.empty() && variant.class_name.empty() && roster.empty()) {
    throw std::runtime_error(
        "variants: say whose, with --student ID, --class NAME or --roster FILE");
  }
  variant.secret = read_secret(secret_file);
  if (roster.empty()) {
    std::fputs(variant_sheet(topics_or_throw(workspace.root), variant).c_str(), stdout);
    return 0;
  }
  const auto start = Clock::now();
  const StudentHandouts written = write_student_handouts(workspace, read_roster(roster), out);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  constexpr double kMegabyte = 1e6;
  std::printf(
      "%zu students' own files in %s, %.1f MB, %.1f s\n"
      "%zu answers sealed; `grader batch` judges them with\n  --secret-file %s --roster %s\n",
      written.students, out.c_str(), static_cast<double>(written.bytes) / kMegabyte, seconds,
      written.sealed, secret_file.c_str(), roster.c_str());
  return 0;
}

int run_export(Workspace workspace, const fs::path& secret_file, CourseFiles files,
               const fs::path& out) {
  const std::string class_name = workspace.variant.class_name;
  if (!secret_file.empty()) workspace.variant.secret = read_secret(secret_file);
  Session session(std::move(workspace));
  const ExportSummary summary = export_student(session, out, files);
  std::printf("%zu files in %s\n%zu sealed answers, %zu functions with stored cases\n",
              summary.files, out.c_str(), summary.sealed, summary.functions);
  if (!secret_file.empty()) {
    std::printf(
        "%zu exercises ask for the class's numbers; `grader batch` judges them with\n"
        "  --secret-file %s --class %s\n",
        summary.drawn, secret_file.c_str(), class_name.c_str());
  }
  if (!summary.unchecked.empty()) std::printf("Only your own grading can judge:\n");
  for (const std::string& line : summary.unchecked) std::printf("  %s\n", line.c_str());
  return 0;
}

/// Seals the answers of one topic, for the pages of the docs site.
int run_seal(const Workspace& workspace, const std::string& topic_name, const fs::path& out) {
  Session session(workspace);
  std::vector<Seal> seals;
  for (const Topic& topic : topics_or_throw(workspace.root)) {
    if (topic.name != topic_name) continue;
    for (const Exercise& exercise : topic.exercises) {
      if (can_be_sealed(exercise)) seals.push_back(seal_answer(session, exercise, kPageIterations));
    }
  }
  base::write_file_atomically(out, seals_json(seals));
  return 0;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const Kind kind : all_kinds()) names.emplace_back(name_of(kind));
  return names;
}

void add_grade(CLI::App& app, GradeOptions& options) {
  CLI::App* command = app.add_subcommand("grade", "Judge exercises");
  command->add_option("--root", options.workspace.root, "Checkout")->required();
  command->add_option("--build", options.workspace.build, "Build tree")->required();
  command->add_option("--exercise", options.exercises, "Id or prefix of ids; may be repeated");
  command->add_option("--kind", options.kinds, "Only exercises of this kind; may be repeated")
      ->check(CLI::IsMember(kind_names()));
  command->add_flag("--solutions", options.workspace.solutions,
                    "Judge the solutions in the student's place");
  command->add_option("--seed", options.workspace.seed, "Seed of generated inputs");
  command->add_option("--results", options.results, "Folder for an ID.json of each exercise");
  for (const char* format : kFormats) {
    command->add_option(
        std::string("--report-") + format, options.reports[format],
        std::string("File for the results as ") + format + ", rewritten after every exercise");
  }
  command->add_flag("--expect-unsolved", options.expect_unsolved,
                    "Succeed when every exercise is unsolved and earns nothing");
  command->add_flag("--quiet", options.quiet, "Only the table of scores");
}

int run(int argc, char** argv) {
  CLI::App app("Judges the exercises of Roofline Labs.");
  base::fit_help(app);
  app.set_version_flag("--version", "grader " + base::version());
  base::add_completion_flag(app, "grader");
  app.require_subcommand(1);
  GradeOptions grade_options;
  add_grade(app, grade_options);

  fs::path root;
  bool write = false;
  bool check = false;
  CLI::App* starter = app.add_subcommand("starter", "Derive starters from solutions");
  starter->add_option("--root", root, "Checkout")->required();
  starter->add_flag("--write", write, "Write topics/");
  starter->add_flag("--check", check, "Fail if topics/ differs from what would be written");

  fs::path wrong_folder;
  fs::path out;
  CLI::App* wrong = app.add_subcommand("wrong", "Derive wrong solutions from their changes");
  wrong->add_option("folder", wrong_folder, "tests/wrong/TOPIC/PROGRAM")->required();
  wrong->add_option("--root", root, "Checkout with the solutions")->required();
  wrong->add_option("--out", out, "Folder to write them into")->required();

  std::string wrong_exercise;
  std::string wrong_name;
  CLI::App* making = app.add_subcommand("new", "Create an exercise or a wrong solution");
  making->require_subcommand(1);
  CLI::App* new_wrong = making->add_subcommand("wrong", "A wrong solution, to edit");
  new_wrong->add_option("exercise", wrong_exercise, "Id of the exercise")->required();
  new_wrong->add_option("name", wrong_name, "What is wrong with it, such as forgets_y")->required();
  new_wrong->add_option("--root", root, "Checkout")->required();
  std::string new_kind;
  std::string new_topic;
  std::string new_name;
  CLI::App* new_one = making->add_subcommand("exercise", "A working exercise, to adapt");
  new_one->add_option("kind", new_kind, "Kind of exercise, a folder of templates/exercise/")
      ->required();
  new_one->add_option("topic", new_topic, "Folder of topics/, such as 02-peaks")->required();
  new_one->add_option("name", new_name, "Name of its program or function, such as reverse")
      ->required();
  new_one->add_option("--root", root, "Checkout")->required();

  fs::path topic;
  CTestOptions ctest_options;
  ctest_options.grader = fs::canonical("/proc/self/exe");
  CLI::App* ctest = app.add_subcommand("ctest", "Generate CTest tests for a topic");
  ctest->add_option("--topic", topic, "Topic folder")->required();
  ctest->add_option("--build", ctest_options.build, "Build tree")->required();
  ctest->add_option("--out", out, "CMake script to write")->required();
  ctest->add_option("--prefix", ctest_options.prefix, "Prefix of test names, and their label")
      ->capture_default_str();
  ctest->add_flag("--solutions", ctest_options.solutions, "Tests judge the solutions");
  ctest->add_flag("--expect-unsolved", ctest_options.expect_unsolved,
                  "Tests pass when the exercise is unsolved and earns nothing");
  ctest->add_option("--fixture", ctest_options.fixture, "CTest fixture that every test requires");

  CLI::App* schema = app.add_subcommand("schema", "Check every exercises.toml");
  schema->add_option("--root", root, "Checkout")->required();

  ReportOptions report_options;
  CLI::App* report = app.add_subcommand("report", "Print results, or write them in other formats");
  report->add_option("--table", report_options.table, "Folder with ID.json files");
  report->add_option("--since", report_options.since, "Only files no older than this one")
      ->check(CLI::ExistingFile);
  report->add_option("--from", report_options.from, "Results as JSON");
  report->add_option("--build", report_options.build, "Build tree whose roofs are drawn");
  for (const char* format : kFormats) {
    report->add_option(std::string("--") + format, report_options.outputs[format],
                       std::string("File to write as ") + format);
  }

  report
      ->add_option("--diff", report_options.diff,
                   "The --out folders of two batches: whose points changed")
      ->expected(2);

  term::BookOptions book_options;
  CLI::App* book = app.add_subcommand(
      "book", "Apply a course's policy to stored results: deadlines, weights, overrides");
  book->add_option("policy", book_options.policy, "The rules, as TOML")
      ->required()
      ->check(CLI::ExistingFile);
  book->add_option("--roster", book_options.roster,
                   "CSV with the column id; name, email and others")
      ->required()
      ->check(CLI::ExistingFile);
  book->add_option("--root", book_options.root, "Checkout")->required();
  book->add_option("--out", book_options.out, "Folder for tables and pages")->required();

  BatchOptions batch_options;
  fs::path secret_file;
  bool light = false;
  CLI::App* batch = app.add_subcommand("batch", "Grade a folder of submissions");
  batch->add_option("submissions", batch_options.submissions, "Folders, archives, single sources")
      ->required();
  batch->add_option("--root", batch_options.root, "Checkout")->required();
  batch->add_option("--build", batch_options.build, "Build tree")->required();
  batch->add_option("--out", batch_options.out, "Folder for results")->required();
  batch->add_option("--roster", batch_options.roster,
                    "CSV with the column id; name and variant-version are read too");
  batch->add_option("--exercise", batch_options.exercises, "Id or prefix of ids");
  std::string attempt = "last";
  batch
      ->add_option("--attempt", attempt,
                   "Which attempt counts where one student handed in several times")
      ->check(CLI::IsMember({"last", "first", "best"}))
      ->capture_default_str();
  CLI::Option* course_name =
      batch
          ->add_option("--course", batch_options.course,
                       "Name of the course on the students' pages; without it the policy's, if any")
          ->capture_default_str();
  bool similarity = false;
  batch->add_flag("--similarity", similarity,
                  "List students whose kernels or functions are the same");
  CLI::Option* jobs = batch->add_option("--jobs", batch_options.jobs, "Submissions at a time")
                          ->capture_default_str();
  fs::path policy_file;
  batch
      ->add_option("--policy", policy_file,
                   "Policy file of grader book: printed on every student's page; names the nodes "
                   "of a cluster on which exercises are timed")
      ->check(CLI::ExistingFile);
  std::string timed = "all";
  batch
      ->add_option("--timed", timed,
                   "Exercises whose verdict depends on timing: judge them too (all), only them "
                   "(only), or only the others (none)")
      ->check(CLI::IsMember({"all", "only", "none"}))
      ->capture_default_str();
  CLI::Option* batch_secret =
      batch->add_option("--secret-file", secret_file, "Secret of the variants, in the first line");
  CLI::Option* batch_version = batch->add_option("--variant-version", batch_options.variant_version,
                                                 "Edition of the variants");
  const CLI::Validator not_blank(
      [](const std::string& name) { return name.empty() ? "must not be empty" : ""; }, "");
  batch
      ->add_option("--class", batch_options.class_name,
                   "Judge everyone by the numbers of this class")
      ->check(not_blank)
      ->needs(batch_secret)
      ->excludes(batch_version);
  batch->add_option("--seed", batch_options.seed, "Seed of generated inputs");
  batch->add_flag("--isolation-light", light, "Run submissions without bubblewrap (risky)");
  std::string slice = "0/1";
  batch
      ->add_option("--slice", slice,
                   "K/N: grade every Nth student, starting with number K (from 0)")
      ->capture_default_str();
  batch->add_option(
      "--take", batch_options.take,
      "The --out folder of another batch, whose results for the same work are reused");
  batch->add_option("--shared", batch_options.shared,
                    "Folder in which batches that run at the same time share compiled headers and "
                    "verdicts on the same programs");
  SlurmOptions slurm;
  constexpr int kMostTasks = 10000;
  CLI::Option* tasks = batch->add_option("--slurm", slurm.tasks, "Grade on a cluster, in N tasks")
                           ->check(CLI::Range(1, kMostTasks));
  batch->add_option("--sbatch", slurm.options, "An option for sbatch, as --sbatch=--mem=4G")
      ->needs(tasks);

  Workspace drawn;
  fs::path roster;
  CLI::App* variants = app.add_subcommand(
      "variants", "Print the numbers of a student or class, or write those of a roster");
  variants->add_option("--root", drawn.root, "Checkout")->required();
  CLI::Option* student =
      variants->add_option("--student", drawn.variant.student, "Id of the student");
  CLI::Option* drawn_class = variants
                                 ->add_option("--class", drawn.variant.class_name,
                                              "Name of a class, as given to export-student")
                                 ->excludes(student);
  CLI::Option* roster_out =
      variants->add_option("--out", out, "New folder for the roster's files, ID.zip for each");
  CLI::Option* roster_build =
      variants->add_option("--build", drawn.build, "Build tree, for the roster's sealed answers");
  variants
      ->add_option("--roster", roster,
                   "CSV with the column id; variant-version is read too. Writes the files that "
                   "turn a handout into each student's own")
      ->check(CLI::ExistingFile)
      ->needs(roster_out)
      ->needs(roster_build)
      ->excludes(student)
      ->excludes(drawn_class);
  variants->add_option("--secret-file", secret_file, "Secret, in the first line")->required();
  variants->add_option("--variant-version", drawn.variant.version, "Edition")
      ->capture_default_str()
      ->excludes(drawn_class);

  Workspace course;
  CLI::App* exporting = app.add_subcommand(
      "export-student", "Write the repository that a class hands out, without solutions");
  exporting->add_option("folder", out, "New folder to write")->required();
  exporting->add_option("--root", course.root, "Checkout")->required();
  exporting->add_option("--build", course.build, "Build tree of the checkout")->required();
  course.variant.class_name = "class";
  CLI::Option* class_secret = exporting->add_option(
      "--secret-file", secret_file, "Secret, in the first line: the class gets its own numbers");
  exporting->add_option("--class", course.variant.class_name, "Name of the class")
      ->check(not_blank)
      ->needs(class_secret)
      ->capture_default_str();
  bool all_files = false;
  exporting->add_flag("--all-files", all_files,
                      "Hand out every file in the course's folders, whether git tracks it or not");
  std::string topic_name;
  CLI::App* seal = app.add_subcommand("seal", "Write a topic's sealed answers for the docs site");
  seal->add_option("--root", course.root, "Checkout")->required();
  seal->add_option("--build", course.build, "Build tree")->required();
  seal->add_option("--topic", topic_name, "Name of the topic's folder")->required();
  seal->add_option("--out", out, "JSON file to write")->required();

  CLI11_PARSE(app, argc, argv);
  if (app.got_subcommand(exporting)) {
    return run_export(course, secret_file, all_files ? CourseFiles::kAll : CourseFiles::kTracked,
                      out);
  }
  if (app.got_subcommand(seal)) return run_seal(course, topic_name, out);
  if (app.got_subcommand(book)) return run_book(book_options);
  if (app.got_subcommand("grade")) return run_grade(grade_options);
  if (app.got_subcommand(starter)) {
    if (write == check) {
      std::fprintf(stderr, "grader starter: give --write or --check\n");
      return kExitBroken;
    }
    return run_starter(root, write);
  }
  if (app.got_subcommand(wrong)) {
    write_wrong_solutions(root, wrong_folder, out);
    return 0;
  }
  if (making->got_subcommand(new_wrong)) return run_new_wrong(root, wrong_exercise, wrong_name);
  if (making->got_subcommand(new_one)) {
    return run_new_exercise(root, new_kind, new_topic, new_name);
  }
  if (app.got_subcommand(ctest)) {
    topic = fs::canonical(topic);
    ctest_options.build = full_path(ctest_options.build);
    ctest_options.root = topic.parent_path().parent_path();
    ctest_options.backend = backend_of(ctest_options.build);
    return run_ctest(topic, ctest_options, out);
  }
  if (app.got_subcommand(schema)) return run_schema(root);
  for (const Attempt one : {Attempt::kFirst, Attempt::kBest}) {
    if (attempt == name_of(one)) batch_options.attempt = one;
  }
  if (app.got_subcommand(batch)) {
    set_slice(slice, batch_options);
    for (const Timed one : {Timed::kOnly, Timed::kNone}) {
      if (timed == name_of(one)) batch_options.timed = one;
    }
    apply_policy(policy_file, course_name->count() > 0, batch_options, slurm);
    if (jobs->count() > 0) slurm.jobs = batch_options.jobs;
    return run_batch_command(batch_options, slurm, secret_file, light, similarity);
  }
  if (app.got_subcommand(variants)) return run_variants(drawn, secret_file, roster, out);
  return run_report(report_options);
}

}  // namespace

int main(int argc, char** argv) {
  grader::hide_from_others();
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "grader: %s\n", error.what());
    return kExitBroken;
  }
}
