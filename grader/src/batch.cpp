// SPDX-License-Identifier: MIT
// Worker threads over submissions, one result each; the gradebook as they finish.
#include "grader/batch.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>
#include <tuple>

#include "grader/build_tree.hpp"
#include "grader/content.hpp"
#include "grader/course_keys.hpp"
#include "grader/grade.hpp"
#include "grader/gradebook.hpp"
#include "grader/result_files.hpp"
#include "grader/shared_verdicts.hpp"
#include "grader/similarity.hpp"
#include "harness/build_info.hpp"
#include "roofline/measurement.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// Timed exercises run while nothing else does; all others run side by side.
class Turn {
 public:
  Turn(const fs::path& file, bool alone)
      : lock_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (!lock_ || ::flock(lock_.get(), alone ? LOCK_EX : LOCK_SH) != 0) {
      throw std::runtime_error("cannot lock " + file.string());
    }
  }

 private:
  harness::Descriptor lock_;
};

/// A student and what was handed in, if anything.
struct Job {
  Student student;
  const Submission* submission = nullptr;
};

/// A name as learning platforms write it: the id itself, or the id and then _ - or a blank.
bool belongs_to(const Submission& submission, const std::string& id) {
  const std::string& name = submission.student;
  if (!name.starts_with(id)) return false;
  return name.size() == id.size() || std::string("_- ").find(name[id.size()]) != std::string::npos;
}

std::vector<Job> make_jobs(const BatchOptions& options, const std::vector<Submission>& found) {
  std::vector<Job> jobs;
  if (options.roster.empty()) {
    for (const Submission& submission : found)
      jobs.push_back({{submission.student, "", 0}, &submission});
    return jobs;
  }
  for (const Student& student : read_roster(options.roster)) {
    const auto own = std::find_if(found.begin(), found.end(),
                                  [&](const Submission& s) { return belongs_to(s, student.id); });
    jobs.push_back({student, own == found.end() ? nullptr : &*own});
  }
  return jobs;
}

/// Grades the submissions of one batch.
class Batch {
 public:
  explicit Batch(BatchOptions options)
      : options_(std::move(options)),
        files_(options_.out, roofs_of(options_.build)),
        shared_(options_.out / "known") {
    std::vector<SchemaError> errors;
    topics_ = load_topics(options_.root, errors);
    if (!errors.empty()) throw std::runtime_error(describe(errors.front()));
    for (Topic& topic : topics_) {
      std::erase_if(topic.exercises,
                    [&](const Exercise& e) { return !is_chosen(e, options_.exercises); });
    }
    if (options_.isolation == Isolation::kSandbox && !sandbox_available()) {
      throw std::runtime_error(
          "the sandbox (bubblewrap) does not work here; install it, or accept the risk of running "
          "unknown code with --isolation light");
    }
    fs::create_directories(options_.out / "work");
    options_.root = full_path(options_.root);
    options_.build = full_path(options_.build);
    course_ = {source_of_build(options_.build), options_.root, options_.build,
               std::make_shared<CourseHeaders>(options_.out / "headers", options_.build),
               folders_outside(options_.build)};
    references_ = references_of(options_.build);
    topic_keys_ = course_keys(course_, topics_, options_.seed);
    if (options_.seed == 0) options_.seed = std::random_device{}();
  }

  BatchSummary run() {
    const auto start = Clock::now();
    const std::vector<Submission> found = find_submissions(options_.submissions);
    const std::vector<Job> jobs = make_jobs(options_, found);
    open_gradebook(jobs);
    std::vector<std::thread> workers;
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};
    const std::size_t count =
        std::min<std::size_t>(jobs.size(), static_cast<std::size_t>(std::max(1, options_.jobs)));
    // A child is killed when the thread that started it ends (PR_SET_PDEATHSIG), and all workers
    // ask the reference programs that the first of them started: they end together.
    std::latch idle(static_cast<std::ptrdiff_t>(count));
    for (std::size_t w = 0; w < count; ++w) {
      workers.emplace_back([&] {
        for (std::size_t i = next++; i < jobs.size(); i = next++) {
          finish(jobs[i]);
          report_progress(++done, jobs.size(), start);
        }
        idle.arrive_and_wait();
      });
    }
    for (std::thread& worker : workers) worker.join();
    write_similarity();
    summary_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return summary_;
  }

 private:
  void report_progress(std::size_t done, std::size_t total, Clock::time_point start) {
    if (!options_.progress) return;
    const double spent = std::chrono::duration<double>(Clock::now() - start).count();
    const std::lock_guard guard(mutex_);
    options_.progress(done, total,
                      spent / static_cast<double>(done) * static_cast<double>(total - done));
  }

  /// A student whose numbers were drawn again has a version of their own.
  int version_of(const Student& student) const {
    if (!options_.class_name.empty()) return options_.variant_version;  // all as the handout says
    return student.variant_version > 0 ? student.variant_version : options_.variant_version;
  }

  /// Everything that decides a result, but the noise of timing.
  std::string key_of(const Student& student, const Collected& collected) const {
    std::string text = content_hash(collected) + options_.secret +
                       std::to_string(version_of(student)) + student.id + options_.class_name;
    for (const Topic& topic : topics_) {
      const auto key = topic_keys_.find(topic.name);
      if (key != topic_keys_.end()) text += key->second;
      for (const Exercise& exercise : topic.exercises) text += exercise.id;
    }
    return sha256(text);
  }

  /// Grades one job whatever happens, and writes its files.
  void finish(const Job& job) {
    Results results;
    try {
      results = grade_job(job);
    } catch (const std::exception& error) {
      results = broken(job.student, error.what());
    }
    if (results.verdicts.empty()) return;  // reused
    try {
      write(results);
      write_gradebook(results);
    } catch (const std::exception& error) {
      const std::lock_guard guard(mutex_);
      summary_.changes.push_back(job.student.id + ": NOT WRITTEN: " + error.what());
    }
  }

  Results grade_job(const Job& job) {
    if (job.submission == nullptr) {
      const std::lock_guard guard(mutex_);
      ++summary_.missing;
      return all_with(job.student, Status::kMissing, "nothing was handed in");
    }
    const Collected collected = collect(*job.submission, topics_);
    keep_for_similarity(job.student, collected);
    const std::string key = key_of(job.student, collected);
    if (files_.is_done(job.student.id, key)) {
      const std::lock_guard guard(mutex_);
      ++summary_.reused;
      return {};
    }
    const fs::path work = options_.out / "work" / student_file_name(job.student.id);
    fs::remove_all(work);
    Results results = judge(job.student, collected, work);
    results.key = key;
    fs::remove_all(work);
    const std::lock_guard guard(mutex_);
    ++summary_.graded;
    return results;
  }

  Results judge(const Student& student, const Collected& collected, const fs::path& work) {
    Workspace workspace;
    workspace.root = options_.root;
    workspace.build = options_.build;
    workspace.submission = fs::absolute(work);
    workspace.student_bin = fs::absolute(work) / "build" / "bin";
    workspace.isolation = options_.isolation;
    workspace.outside = course_.outside;
    workspace.seed = options_.seed;
    workspace.variant = {options_.secret, student.id, version_of(student), options_.class_name};
    workspace.references = references_;
    unpack(collected, fs::absolute(work));
    Session session(std::move(workspace));
    std::map<std::string, Verdict> verdicts;
    for (const HandedInProgram& program : handed_in_programs(collected, topics_)) {
      judge_program(session, program, fs::absolute(work), verdicts);
    }
    Results results = empty_results(student);
    for (const Topic& topic : topics_) {
      for (const Exercise& exercise : topic.exercises) {
        const auto known = verdicts.find(exercise.id);
        results.verdicts.push_back(known != verdicts.end() ? known->second
                                                           : take_turn(session, exercise));
      }
    }
    for (const std::string& note : collected.notes) results.notes.push_back(note);
    return results;
  }

  /// Judges when nothing else is timed; what is timed, when nothing else runs.
  Verdict take_turn(Session& session, const Exercise& exercise) const {
    const Turn turn(lock_file(), is_timed(exercise.kind));
    return grade(session, exercise);
  }

  /// Compiles a program and judges its exercises, unless the same work is known already.
  void judge_program(Session& session, const HandedInProgram& program, const fs::path& work,
                     std::map<std::string, Verdict>& verdicts) {
    const std::string key =
        sha256(topic_keys_.at(program.topic) + program.name() + content_hash({program.files, {}}));
    const auto claim = shared_.claim(key);
    SharedVerdicts::Verdicts known = shared_.find(key);
    bool is_compiled = false;
    bool is_lasting = true;
    for (const Topic& topic : topics_) {
      for (const Exercise& exercise : topic.exercises) {
        if (topic.name != program.topic || exercise.program != program.program) continue;
        if (const auto verdict = known.find(exercise.id); verdict != known.end()) {
          verdicts[exercise.id] = verdict->second;
          count(summary_.shared);
          continue;
        }
        if (!is_compiled) is_lasting = compile(session, program, work);
        is_compiled = true;
        const Verdict& verdict = verdicts[exercise.id] = take_turn(session, exercise);
        if (!is_lasting || !is_shared(exercise.kind)) continue;
        known[exercise.id] = verdict;
        shared_.keep(key, known);
      }
    }
  }

  /// Returns false when a limit, which a busy machine may reach, ended the compiler.
  bool compile(Session& session, const HandedInProgram& program, const fs::path& work) {
    const Turn turn(lock_file(), false);
    count(summary_.compiled);
    CompileResult result = compile_program(program, course_, work);
    if (!result.errors.empty()) session.set_compile_error(program.name(), result.errors);
    return !result.was_stopped;
  }

  void count(std::size_t& number) {
    const std::lock_guard guard(mutex_);
    ++number;
  }

  fs::path lock_file() const { return options_.out / ".turn"; }

  static Results empty_results(const Student& student) {
    Results results;
    results.student = student.id;
    results.time = harness::current_time();
    return results;
  }

  Results all_with(const Student& student, Status status, const std::string& message) const {
    Results results = empty_results(student);
    for (const Topic& topic : topics_) {
      for (const Exercise& exercise : topic.exercises) {
        results.verdicts.push_back(verdict_for(exercise, status, message));
      }
    }
    return results;
  }

  Results broken(const Student& student, const std::string& reason) {
    const std::lock_guard guard(mutex_);
    ++summary_.graded;
    return all_with(student, Status::kMissing, "the submission cannot be graded: " + reason);
  }

  void write(const Results& results) {
    const std::string change = files_.write(results);
    if (change.empty()) return;
    const std::lock_guard guard(mutex_);
    summary_.changes.push_back(change);
  }

  /// Begins with what earlier runs left.
  void open_gradebook(const std::vector<Job>& jobs) {
    std::vector<Student> students;
    for (const Job& job : jobs) students.push_back(job.student);
    gradebook_.emplace(students, topics_);
    for (const Student& student : students) {
      const std::optional<Results> earlier = files_.earlier(student.id);
      if (earlier) gradebook_->enter(student.id, *earlier);
    }
    roofline::write_file_atomically(gradebook_file(), gradebook_->csv());
  }

  void write_gradebook(const Results& results) {
    const std::lock_guard guard(mutex_);
    gradebook_->enter(results.student, results);
    roofline::write_file_atomically(gradebook_file(), gradebook_->csv());
  }

  fs::path gradebook_file() const { return options_.out / "gradebook.csv"; }

  void keep_for_similarity(const Student& student, const Collected& collected) {
    const std::lock_guard guard(mutex_);
    for (const auto& [file, text] : collected.files) {
      if (!file.ends_with(".json")) work_.push_back({student.id, file, text});
    }
  }

  /// Pairs of submissions to look at; nothing of an unreadable submission is among them.
  void write_similarity() {
    // Workers finish in any order; the report does not depend on it.
    std::sort(work_.begin(), work_.end(), [](const HandedIn& a, const HandedIn& b) {
      return std::tie(a.student, a.file) < std::tie(b.student, b.file);
    });
    std::map<std::string, std::string> starters;
    for (const HandedIn& own : work_) {
      if (!starters.contains(own.file)) {
        starters[own.file] = read_bytes(options_.root / "topics" / own.file);
      }
    }
    const std::vector<SimilarPair> pairs = similar_pairs(work_, starters);
    summary_.alike = pairs.size();
    roofline::write_file_atomically(options_.out / "similarity.csv", similarity_csv(pairs));
  }

  BatchOptions options_;
  std::vector<Topic> topics_;
  Course course_;
  std::map<std::string, std::string> topic_keys_;  ///< hashes by topic
  std::shared_ptr<ReferenceAnswers> references_;
  ResultFiles files_;
  SharedVerdicts shared_;
  std::optional<Gradebook> gradebook_;
  BatchSummary summary_;
  std::vector<HandedIn> work_;  ///< of the submissions read so far
  std::mutex mutex_;
};

}  // namespace

BatchSummary run_batch(const BatchOptions& options) {
  return Batch(options).run();
}

}  // namespace grader
