// SPDX-License-Identifier: MIT
// Paths, trusted programs and seeds of a grading run.
#include "grader/judge/session.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <utility>

#include "grader/kind/kernel.hpp"
#include "grader/program/build.hpp"
#include "grader/program/build_tree.hpp"
#include "grader/program/checked_names.hpp"
#include "grader/program/launch_errors.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

// AddressSanitizer reserves terabytes of address space, so a memory limit would stop it.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kLimitMemory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kLimitMemory = false;
#else
constexpr bool kLimitMemory = true;
#endif
#else
constexpr bool kLimitMemory = true;
#endif

Limits trusted_limits() {
  Limits limits;
  limits.wall_seconds = 600;
  limits.cpu_seconds = 0;
  return limits;
}

}  // namespace

std::shared_ptr<ReferenceAnswers> references_of(const fs::path& build) {
  return std::make_shared<ReferenceAnswers>(build, build / "reference");
}

Session::Session(Workspace workspace)
    : workspace_(std::move(workspace)),
      backend_(backend_of(workspace_.build)),
      can_check_(cache_entry(workspace_.build, "ROOFLINE_CAN_CHECK_KERNELS") == "ON") {
  // Programs run in other folders, so paths must be absolute.
  workspace_.root = full_path(workspace_.root);
  workspace_.build = full_path(workspace_.build);
  if (workspace_.submission.empty()) workspace_.submission = workspace_.root;
  if (workspace_.student_bin.empty()) workspace_.student_bin = workspace_.build / "bin";
  handout_ = Handout::find(workspace_.root);
  if (!workspace_.references) workspace_.references = references_of(workspace_.build);
  if (!machine_file().empty()) machine_ = roofline::load_machine(machine_file());
}

fs::path Session::machine_file() const {
  const fs::path file = workspace_.build / "machine.json";
  return fs::exists(file) ? file : fs::path();
}

fs::path Session::reference_bin(const std::string& topic) const {
  return workspace_.build / "bin" / "solutions" / topic;
}

fs::path Session::student_folder(const std::string& topic) const {
  return workspace_.submission / "topics" / topic;
}

fs::path Session::student_program(const Exercise& exercise) const {
  return workspace_.solutions ? reference_bin(exercise.topic) / exercise.program
                              : workspace_.student_bin / exercise.topic / exercise.program;
}

namespace {

/// Programs run slower under a sanitizer.
constexpr double kSlowness = kLimitMemory ? 1 : 6;

/// Main memory that a GPU runtime uses itself.
constexpr std::uint64_t kRuntimeBytes = std::uint64_t{4} << 30;

/// After this many timed-out entries, no entry of the program gets its full time.
constexpr std::size_t kPatience = 2;

/// The fraction of its time that it gets instead.
constexpr double kImpatience = 0.1;

/// Why an exercise gets less than its time, given the timed-out entries of its program; empty if it
/// gets the full time, like an honest kernel next to an endless one.
std::string why_less_time(const std::set<std::string>& timed_out, const std::string& entry) {
  std::string who;
  if (timed_out.contains(entry)) {
    who = entry;
  } else if (timed_out.size() >= kPatience) {
    who = *timed_out.begin() + " and " + *std::next(timed_out.begin());
  } else {
    return {};
  }
  return "It was given a tenth of its time, because " + who + " had timed out before.";
}

std::string name_of_program(const Exercise& exercise) {
  return exercise.topic + "/" + exercise.program;
}

/// Address space for the stacks of a kernel with barriers: one for each thread of the largest
/// block, on each core. Most of it is never touched.
std::uint64_t bytes_of_stacks() {
  constexpr std::uint64_t kLargestBlock = 1024;
  constexpr std::uint64_t kStackBytes = 256 << 10;
  return std::max(1U, std::thread::hardware_concurrency()) * kLargestBlock * kStackBytes;
}

}  // namespace

Limits Session::limits_for(const Exercise& exercise) const {
  Limits limits;
  limits.wall_seconds = exercise.wall_seconds * kSlowness;
  limits.cpu_seconds = limits.wall_seconds * 64;  // kernels run on all cores
  // No such limit for a GPU: its runtime maps far more memory than it uses, and this limit is on
  // address space.
  if (kLimitMemory && backend_ == "cpu") {
    limits.memory_bytes = exercise.memory_bytes + bytes_of_stacks();
  }
  return limits;
}

Limits Session::student_limits(const Exercise& exercise) const {
  Limits limits = limits_for(exercise);
  const auto timed_out = timed_out_.find(name_of_program(exercise));
  if (timed_out != timed_out_.end()) {
    limits.why_less_time = why_less_time(timed_out->second, exercise.entry);
    if (!limits.why_less_time.empty()) limits.wall_seconds *= kImpatience;
  }
  limits.wall_seconds = std::max(1.0, std::min(limits.wall_seconds, seconds_left()));
  if (kLimitMemory) {
    limits.resident_bytes = exercise.memory_bytes + (backend_ == "cpu" ? 0 : kRuntimeBytes);
  }
  // The leak sanitizer inspects a program from a separate process.
  limits.threads_only = kLimitMemory;
  return limits;
}

void Session::build_student(const Exercise& exercise) {
  // In other places (a sandbox, a test) the programs are built beforehand.
  if (workspace_.solutions || workspace_.student_bin != workspace_.build / "bin") return;
  if (!fs::exists(workspace_.build / "CMakeCache.txt")) return;
  const std::string target = exercise.topic + "-" + exercise.program;
  const auto [place, is_new] = built_.try_emplace(target);
  if (is_new) {
    std::vector<std::string> targets = {target};
    if (can_check_ && exercise.rules().has_kernels) targets.push_back(target + kChecked);
    const auto build = [&] {
      return build_targets(workspace_.build, targets, workspace_.root, workspace_.when_build_waits);
    };
    place->second = build();
    if (is_about_counting(place->second)) {
      targets.back() = target + kCheckedPlain;
      if (build().empty())
        set_uncounted(name_of_program(exercise), std::exchange(place->second, {}));
    }
  }
  if (!place->second.empty()) throw ChildFailure(Failure::kDoesNotCompile, place->second);
}

std::unique_ptr<Program> Session::start_student(const Exercise& exercise) {
  std::unique_ptr<Program> program = start(exercise, student_program(exercise));
  program->set_transcript(printed_, Transcript::kAlways);
  return program;
}

bool Session::is_only_plain(const Exercise& exercise) const {
  const std::string program = student_program(exercise).string();
  return !fs::exists(program + kChecked) && fs::exists(program + kCheckedPlain);
}

std::unique_ptr<Program> Session::start_checked(const Exercise& exercise) {
  build_student(exercise);
  const bool is_plain = uncounted_.contains(name_of_program(exercise)) || is_only_plain(exercise);
  const fs::path file = student_program(exercise).string() + (is_plain ? kCheckedPlain : kChecked);
  // Even if nothing is built here, the program may exist.
  if (!can_check_ && !fs::exists(file)) return nullptr;
  std::unique_ptr<Program> program = start(exercise, file);
  // The plain program prints the same, for all sizes, so only a failure's output is kept.
  program->set_transcript(printed_, Transcript::kOfFailure);
  return program;
}

std::unique_ptr<Program> Session::start_counted(const Exercise& exercise) {
  build_student(exercise);
  const auto errors = uncounted_.find(name_of_program(exercise));
  if (errors != uncounted_.end()) throw ChildFailure(Failure::kDoesNotCompile, errors->second);
  if (is_only_plain(exercise)) {
    throw ChildFailure(
        Failure::kDoesNotCompile,
        exercise.program + " was built with plain numbers only.\n" + kTypeThatCounts);
  }
  return start_checked(exercise);
}

const Verdict& Session::judge_kernel(const Exercise& kernel) {
  const std::pair key(kernel.id, seed_for(kernel));
  try {
    const auto judged = kernels_.insert_or_assign(key, grade_kernel(*this, kernel)).first;
    return std::get<Verdict>(judged->second);
  } catch (const ChildFailure& failure) {
    kernels_.insert_or_assign(key, failure);
    throw;
  }
}

const Verdict& Session::verdict_on_kernel(const Exercise& kernel) {
  const auto known = kernels_.find({kernel.id, seed_for(kernel)});
  if (known == kernels_.end()) return judge_kernel(kernel);
  if (const auto* failure = std::get_if<ChildFailure>(&known->second)) throw ChildFailure(*failure);
  return std::get<Verdict>(known->second);
}

std::string Session::take_printed() {
  return std::exchange(*printed_, {});
}

std::unique_ptr<Program> Session::start(const Exercise& exercise, const fs::path& program_file) {
  build_student(exercise);
  const auto failure = failures_.find(name_of_program(exercise));
  if (failure != failures_.end()) throw ChildFailure(failure->second);
  if (compiled_.contains(name_of_program(exercise)) && !fs::exists(program_file)) {
    throw std::runtime_error(program_file.string() +
                             " was compiled and is gone; does something clean this folder?");
  }
  if (seconds_left() <= 0) {
    throw ChildFailure(Failure::kTimedOut,
                       "not run: the submission has used up its " +
                           std::to_string(static_cast<int>(workspace_.budget_seconds)) +
                           " s for compiling and running");
  }
  std::unique_ptr<Program> program;
  if (workspace_.isolation == Isolation::kSandbox && !workspace_.solutions) {
    const Command command =
        sandboxed_program(workspace_.student_bin, program_file,
                          {.outside = workspace_.outside, .gpu = backend_ != "cpu"});
    program = std::make_unique<Program>(command, student_limits(exercise));
  } else {
    program = std::make_unique<Program>(program_file, student_limits(exercise));
  }
  std::vector<fs::path> sources;
  for (const std::string& file : exercise.files) {
    sources.push_back(student_folder(exercise.topic) / file);
  }
  program->set_sources(std::move(sources));
  return program;
}

std::unique_ptr<Program> Session::start_reference(const Exercise& exercise) const {
  return std::make_unique<Program>(reference_bin(exercise.topic) / exercise.program,
                                   limits_for(exercise), Owner::kCourse);
}

Program& Session::oracle(const std::string& topic) {
  std::unique_ptr<Program>& program = oracles_[topic];
  if (!program) {
    program = std::make_unique<Program>(workspace_.build / "bin" / topic / "oracle",
                                        trusted_limits(), Owner::kCourse);
  }
  return *program;
}

ReferenceAnswer Session::reference(const Exercise& exercise, const std::string& id,
                                   std::vector<std::pair<std::string, double>> further) {
  const bool is_canonical = further.empty() && workspace_.variant.secret.empty();
  for (const ExerciseParameter& p : exercise.parameters()) {
    further.emplace_back(p.name, value_of(p, exercise.id, workspace_.variant));
  }
  return ask(exercise, id, std::move(further), is_canonical);
}

ReferenceAnswer Session::reference_for(const Exercise& exercise,
                                       std::vector<std::pair<std::string, double>> numbers) {
  return ask(exercise, exercise.id, std::move(numbers), false);
}

ReferenceAnswer Session::ask(const Exercise& exercise, const std::string& id,
                             std::vector<std::pair<std::string, double>> numbers,
                             bool is_canonical) {
  AnswerQuestion question;
  question.topic = exercise.topic;
  question.id = id;
  question.is_canonical = is_canonical;
  question.parameters = std::move(numbers);
  if (exercise.needs_machine()) question.machine_file = machine_file();
  return workspace_.references->value(question);
}

void Session::set_failure(const std::string& program, const ChildFailure& failure) {
  failures_.insert_or_assign(program, failure);
}

void Session::set_compiled(const std::string& program) {
  compiled_.insert(program);
}

void Session::set_uncounted(const std::string& program, const std::string& errors) {
  uncounted_.insert_or_assign(program, errors);
}

void Session::spend(double seconds) {
  spent_seconds_ += seconds;
}

double Session::seconds_left() const {
  constexpr double kNoLimit = 1e9;
  return workspace_.budget_seconds > 0 ? workspace_.budget_seconds - spent_seconds_ : kNoLimit;
}

void Session::remember_timeout(const Exercise& exercise) {
  timed_out_[name_of_program(exercise)].insert(exercise.entry);
}

StudentAnswer Session::student_answer(const Exercise& exercise) {
  if (workspace_.solutions) {
    const ReferenceAnswer answer = reference(exercise, exercise.id);
    if (!answer.word.empty()) return {answer.word, 0, {}};
    char text[64];
    std::snprintf(text, sizeof text, "%.12g %s", answer.value, answer.unit.c_str());
    return {text, 0, {}};
  }
  if (auto answer = written_answer(exercise.topic, exercise.id)) return *answer;
  return {{}, 0, student_answers_.at(exercise.topic).problem()};
}

std::optional<StudentAnswer> Session::written_answer(const std::string& topic,
                                                     const std::string& id) {
  const auto [place, is_new] = student_answers_.try_emplace(topic);
  if (is_new) place->second = AnswerFile::read(student_folder(topic) / "answers.toml");
  if (const StudentAnswer* answer = place->second.find(id)) return *answer;
  return std::nullopt;
}

}  // namespace grader
