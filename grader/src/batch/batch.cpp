// SPDX-License-Identifier: MIT
// Worker threads grade the submissions, one result each, and update the gradebook as they finish.
#include "grader/batch/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>
#include <tuple>

#include "base/file_lock.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "grader/batch/content.hpp"
#include "grader/batch/course_keys.hpp"
#include "grader/batch/gradebook.hpp"
#include "grader/batch/result_files.hpp"
#include "grader/batch/shared_verdicts.hpp"
#include "grader/batch/similarity.hpp"
#include "grader/exercise/names.hpp"
#include "grader/exercise/seed.hpp"
#include "grader/exercise/variant.hpp"
#include "grader/judge/grade.hpp"
#include "grader/program/build_tree.hpp"
#include "grader/program/sanitize.hpp"
#include "harness/build_info.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// Timed exercises run alone; all others run in parallel.
base::FileLock wait_for_turn(const fs::path& file, bool alone) {
  return base::FileLock::wait(file,
                              alone ? base::FileLock::Mode::kAlone : base::FileLock::Mode::kShared);
}

/// Two graders in one folder would delete each other's work folders.
base::FileLock lock_results(const fs::path& out) {
  fs::create_directories(out);
  auto lock = base::FileLock::try_lock(out / ".lock");
  if (lock) return std::move(*lock);
  throw std::runtime_error("another grader writes its results to " + out.string() +
                           "; wait for it, or name another folder with --out");
}

/// Thrown when only a person can tell what the student meant to hand in.
struct UnclearSubmission : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Unread = std::vector<std::string>;  ///< as Results::unread

constexpr const char* kNotHandedIn = "nothing was handed in";

/// An attempt and its content.
struct Attempted {
  std::string name;                          ///< "ada_2"
  Collected work;                            ///< what the graded exercises ask for
  std::map<std::string, std::string> files;  ///< everything of the course, by path
};

/// A student's attempts to judge, and what cannot be read.
struct HandIns {
  std::vector<Attempted> attempts;
  Unread unread;
};

/// Grades the submissions of one batch.
class Batch {
 public:
  explicit Batch(BatchOptions options)
      : options_(std::move(options)),
        lock_(lock_results(options_.out)),
        files_(options_.out),
        shared_(shared_folder() / "known") {
    std::vector<SchemaError> errors;
    course_topics_ = load_topics(options_.root, errors);
    if (!errors.empty()) throw std::runtime_error(describe(errors.front()));
    require_exercises(course_topics_, options_.exercises);
    topics_ = course_topics_;
    for (Topic& topic : topics_) {
      std::erase_if(topic.exercises, [&](const Exercise& exercise) { return !is_asked(exercise); });
    }
    if (options_.isolation == Isolation::kSandbox && !sandbox_available()) {
      throw std::runtime_error(
          "the sandbox (bubblewrap) does not work here; install it, or accept the risk of running "
          "unknown code with --isolation-light");
    }
    fs::create_directories(options_.out / "work");
    options_.root = full_path(options_.root);
    options_.build = full_path(options_.build);
    roofs_ = roofs_of(options_.build);
    course_ = {options_.root,
               options_.build,
               nullptr,
               folders_outside(options_.build),
               std::make_shared<LibraryNames>(),
               options_.isolation == Isolation::kSandbox || sandbox_available()};
    for (const fs::path& folder : options_.take) taken_.emplace_back(folder);
    references_ = references_of(options_.build);
    const std::string tools = tools_key(course_);
    course_.headers = std::make_shared<CourseHeaders>(shared_folder() / "headers", tools);
    topic_keys_ = course_keys(course_, tools, topics_, asked_seed(options_.seed));
    options_.seed = chosen_seed(options_.seed);
  }

  BatchSummary run() {
    const auto start = Clock::now();
    const std::vector<Work> jobs = find_work();
    require_readable(jobs);
    open_gradebook();
    std::vector<std::thread> workers;
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};
    const std::size_t count =
        std::min<std::size_t>(jobs.size(), static_cast<std::size_t>(std::max(1, options_.jobs)));
    // A child is killed when the thread that started it ends (PR_SET_PDEATHSIG), and all workers
    // use the reference programs that the first of them started. So all workers end together.
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
    base::write_file_atomically(gradebook_file(), gradebook_->csv());
    fs::remove(begun_file());
    write_similarity();
    write_problems();
    summary_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return summary_;
  }

 private:
  bool is_asked(const Exercise& exercise) const {
    const bool timed = is_timed(exercise.kind());
    return is_chosen(exercise, options_.exercises) &&
           (options_.timed == Timed::kAll || timed == (options_.timed == Timed::kOnly));
  }

  /// True if the stored verdicts on other exercises are kept.
  bool is_partial() const { return !options_.exercises.empty() || options_.timed != Timed::kAll; }

  /// Refuses results that cannot be read if this batch would have to keep a part of them.
  void require_readable(const std::vector<Work>& jobs) const {
    std::string first;
    std::size_t count = 0;
    for (const Work& job : jobs) {
      if (!is_partial() && !job.attempts.empty()) continue;
      try {
        files_.require_readable(job.student.id);
      } catch (const std::runtime_error& error) {
        if (++count == 1) first = error.what();
      }
    }
    if (count == 0) return;
    throw std::runtime_error(
        first + (count > 1 ? fmt::format(" (and {} more)", count - 1) : "") +
        "; this batch would lose what is stored there: use the grader that wrote it, or move it "
        "away" +
        (is_partial() ? ", or judge everything, without --exercise and --timed" : ""));
  }

  void report_progress(std::size_t done, std::size_t total, Clock::time_point start) {
    if (!options_.progress) return;
    const double spent = std::chrono::duration<double>(Clock::now() - start).count();
    const std::lock_guard guard(mutex_);
    options_.progress(done, total,
                      spent / static_cast<double>(done) * static_cast<double>(total - done));
  }

  /// A student whose numbers were drawn again has an individual version.
  int version_of(const Student& student) const {
    if (!options_.class_name.empty()) return options_.variant_version;  // the handout's for all
    return student.variant_version > 0 ? student.variant_version : options_.variant_version;
  }

  /// Everything that decides a result, except timing noise.
  std::string key_of(const Student& student, const Collected& collected) const {
    std::string text = content_hash(collected);
    for (const std::string& note : collected.notes) text += note + "\n";
    text +=
        options_.secret + std::to_string(version_of(student)) + student.id + options_.class_name;
    for (const Topic& topic : topics_) {
      const auto key = topic_keys_.find(topic.name);
      if (key != topic_keys_.end()) text += key->second;
      for (const Exercise& exercise : topic.exercises) text += exercise.id;
    }
    return sha256(text);
  }

  /// Finds each student's work. Work that belongs to nobody is reported as a problem.
  std::vector<Work> find_work() {
    const Found found = find_submissions(options_.submissions);
    std::optional<std::vector<Student>> roster;
    if (!options_.roster.empty()) roster = read_roster(options_.roster);
    ClassWork work = sort_by_student(found, roster, options_.attempt);
    for (const std::string& other : work.not_judged) add_problem("", other);
    for (const Submission& unowned : work.unowned) {
      add_problem(
          "", sanitize_line(unowned.path.filename().string()) + " matches nobody on the roster");
    }
    for (const Work& one : work.students) class_.push_back(one.student);
    std::vector<Work> jobs = slice_of(std::move(work.students));
    if (!roster) add_stored_students(jobs);
    return jobs;
  }

  /// Without a roster, every student with stored results is in the class. They are not part of a
  /// slice: slices must be the same for all who share the work, whatever results each has stored.
  void add_stored_students(std::vector<Work>& jobs) {
    std::set<std::string> known;
    for (const Student& student : class_) known.insert(student.id);
    for (const std::string& id : files_.students_besides(known)) {
      class_.push_back({id, ""});
      jobs.push_back({class_.back(), {}, {}, {}});
    }
    std::stable_sort(class_.begin(), class_.end(), [](const Student& a, const Student& b) {
      return base::natural_less(a.id, b.id);
    });
  }

  std::vector<Work> slice_of(std::vector<Work> students) const {
    std::vector<Work> own;
    for (std::size_t i = 0; i < students.size(); ++i) {
      if (static_cast<int>(i % static_cast<std::size_t>(options_.slices)) == options_.slice) {
        own.push_back(std::move(students[i]));
      }
    }
    return own;
  }

  /// Grades one job whatever happens, and writes its files.
  void finish(const Work& job) {
    Judged judged;
    try {
      judged = grade_job(job);
    } catch (const UnclearSubmission& error) {
      judged.results = broken(job.student, Status::kError, error.what());
    } catch (const std::exception& error) {
      judged.results = broken(job.student, Status::kError,
                              std::string("the grader could not judge this: ") + error.what());
    }
    if (judged.results.verdicts.empty()) {  // reused
      files_.refresh_page(job.student.id, facts_for(job.student));
      if (const auto stored = files_.earlier(job.student.id)) note_stopped(*stored);
      return;
    }
    note_troubles(judged);
    if (!judged.is_kept) {
      keep_what_is_not_graded(judged);
      choose_attempt(judged);
    }
    note_undecided(judged.results);
    note_stopped(judged.results);
    try {
      write(judged, job.student);
      write_gradebook(judged.results);
    } catch (const std::exception& error) {
      add_trouble(job.student.id + ": NOT WRITTEN: " + error.what());
    }
  }

  /// A batch of some exercises keeps the earlier results of the others, separately for each
  /// attempt. Results taken from another folder may include older ones.
  void keep_what_is_not_graded(Judged& judged) const {
    if (!is_partial()) return;
    const std::string student = judged.results.student;
    const std::optional<Results> counted = files_.earlier(student);
    std::vector<Results> earlier = files_.earlier_attempts(student);
    if (earlier.empty() && counted) earlier.push_back(*counted);
    const auto merge = [&](Results& results, const Results* otherwise) {
      std::erase_if(results.verdicts, [&](const Verdict& v) { return !is_graded(v.id); });
      const auto own = std::find_if(earlier.begin(), earlier.end(), [&](const Results& before) {
        return before.attempt == results.attempt;
      });
      const Results* before = own != earlier.end() ? &*own : otherwise;
      if (before != nullptr) keep_from(*before, results);
    };
    merge(judged.results, counted ? &*counted : nullptr);
    for (Results& attempt : judged.attempts) merge(attempt, nullptr);
  }

  /// The stored results of a student who cannot be judged now, because `why`: this may be a folder
  /// with only the late hand-ins. Exercises without a stored verdict are missing, with this
  /// message. Nothing if the student was never judged.
  std::optional<Judged> kept(const Student& student, const std::string& why,
                             const std::string& message) {
    std::optional<Results> before = files_.earlier(student.id);
    if (!before) return std::nullopt;
    std::vector<Verdict> judged = before->verdicts;
    std::erase_if(judged, [](const Verdict& v) { return v.status == Status::kMissing; });
    if (judged.empty()) return std::nullopt;
    const bool is_of_this_batch = std::any_of(judged.begin(), judged.end(),
                                              [&](const Verdict& v) { return is_graded(v.id); });
    count(is_of_this_batch ? summary_.kept : summary_.missing);
    if (is_of_this_batch) add_problem(student.id, "kept from an earlier run: " + why);
    Judged result{std::move(*before), files_.earlier_attempts(student.id), true};
    add_missing(result.results, message);
    for (Results& attempt : result.attempts) add_missing(attempt, message);
    return result;
  }

  void add_missing(Results& results, const std::string& message) const {
    Results all = all_with({results.student, ""}, Status::kMissing, message);
    std::erase_if(all.verdicts, [&](const Verdict& missing) {
      return std::any_of(results.verdicts.begin(), results.verdicts.end(),
                         [&](const Verdict& stored) { return stored.id == missing.id; });
    });
    if (all.verdicts.empty()) return;
    keep_from(results, all);
    results.verdicts = std::move(all.verdicts);
  }

  bool is_graded(const std::string& id) const {
    return std::any_of(topics_.begin(), topics_.end(), [&](const Topic& topic) {
      return std::any_of(topic.exercises.begin(), topic.exercises.end(),
                         [&](const Exercise& exercise) { return exercise.id == id; });
    });
  }

  /// Among several attempts the one with the most points counts; among equal ones the first, as in
  /// result books. Inconclusive exercises earn nothing here and, as everywhere, are judged again by
  /// the next run.
  void choose_attempt(Judged& judged) {
    if (judged.attempts.empty()) return;
    const Results* best = &judged.attempts.front();
    std::string all;
    bool are_alike = true;
    for (const Results& attempt : judged.attempts) {
      if (attempt.points() > best->points()) best = &attempt;
      all += fmt::format("{}{} {:g}", all.empty() ? "" : ", ", sanitize_line(attempt.attempt),
                         attempt.points());
      are_alike = are_alike && attempt.verdicts.size() == best->verdicts.size();
    }
    const std::string key = judged.results.key;
    const Unread unread = judged.results.unread;
    judged.results = *best;
    judged.results.key = key;
    judged.results.unread = unread;
    add_unread_notes(judged.results);
    judged.results.notes.push_back("handed in several times; the best counts: " +
                                   sanitize_line(best->attempt) + " (points: " + all + ")");
    if (are_alike) return;
    add_problem(judged.results.student,
                "not all attempts were judged on the same exercises, so the best is not known; "
                "grade without --exercise and --timed");
  }

  void keep_from(const Results& before, Results& results) const {
    std::map<std::string, const Verdict*> known;
    for (const Verdict& verdict : before.verdicts) known[verdict.id] = &verdict;
    for (const Verdict& verdict : results.verdicts) known[verdict.id] = &verdict;
    std::vector<Verdict> all;
    for (const Topic& topic : course_topics_) {
      for (const Exercise& exercise : topic.exercises) {
        if (known.contains(exercise.id)) all.push_back(*known.at(exercise.id));
      }
    }
    results.verdicts = std::move(all);
  }

  /// Notes verdicts that noise left undecided: they do not count until they are judged again.
  void note_undecided(const Results& results) {
    std::string ids;
    for (const Verdict& verdict : results.verdicts) {
      if (verdict.status == Status::kInconclusive) ids += (ids.empty() ? "" : ", ") + verdict.id;
    }
    if (ids.empty()) return;
    add_problem(results.student, "inconclusive, and not counted until it is graded again: " + ids);
  }

  /// Notes programs whose compiler was stopped by a limit, in this batch or in one whose verdicts
  /// are kept.
  void note_stopped(const Results& results) {
    std::set<std::string> programs;
    for (const Topic& topic : course_topics_) {
      for (const Exercise& exercise : topic.exercises) {
        const bool is_stopped = std::ranges::any_of(results.verdicts, [&](const Verdict& verdict) {
          return verdict.id == exercise.id && is_of_stopped_compiler(verdict);
        });
        if (is_stopped) programs.insert(topic.name + "/" + exercise.program);
      }
    }
    for (const std::string& program : programs) {
      add_problem(results.student,
                  "a limit ended the compiler of " + program +
                      ", perhaps because of the machine; the next batch compiles it again");
    }
  }

  /// Notes the grader's own failures, one line and one problem per student.
  void note_troubles(const Judged& judged) {
    std::vector<Results> all = judged.attempts;
    all.push_back(judged.results);
    for (const Results& results : all) {
      for (const Verdict& verdict : results.verdicts) {
        if (verdict.status != Status::kError) continue;
        const std::string failure = verdict.id + ": " + verdict.message;
        const bool is_for_all =
            std::all_of(results.verdicts.begin(), results.verdicts.end(), [&](const Verdict& v) {
              return v.status == Status::kError && v.message == verdict.message;
            });
        add_problem(results.student, is_for_all ? verdict.message : failure);
        return add_trouble(results.student + ": " + failure);
      }
    }
  }

  Collected asked_for(Collected collected) const {
    keep_asked_for(collected, topics_);
    return collected;
  }

  /// The course's files in an attempt. One name may be handed in as a folder and as an archive, as
  /// long as all readable versions are the same in what is graded.
  /// @throws UnreadableSubmission if none can be read.
  Collected collected_from(const std::vector<Submission>& attempt, Unread& unread) const {
    Collected result;
    const Submission* taken = nullptr;
    for (const Submission& submission : attempt) {
      const std::string name = sanitize_line(submission.path.filename().string());
      Collected own;
      try {
        own = collect(submission, course_topics_);
      } catch (const UnreadableSubmission& error) {
        unread.push_back(name + " cannot be read: " + error.what());
        continue;
      }
      for (const std::string& inner : own.unread) unread.push_back(name + "/" + inner);
      if (taken != nullptr && content_hash(asked_for(own)) != content_hash(asked_for(result))) {
        throw UnclearSubmission("handed in as " + sanitize_line(taken->path.filename().string()) +
                                " and as " + name + " with different files; keep one of them");
      }
      if (taken == nullptr) result = std::move(own);
      if (taken == nullptr) taken = &submission;
    }
    const bool is_nothing =
        taken == nullptr || (asked_for(result).files.empty() && !result.unread.empty());
    if (is_nothing) throw UnreadableSubmission("no part of it can be read");
    return result;
  }

  /// All readable hand-ins; attempts that cannot be read are skipped.
  HandIns hand_ins_of(const Work& job) const {
    HandIns result;
    std::string left;
    const auto take = [&](const std::vector<Submission>& attempt) {
      try {
        Collected all = collected_from(attempt, result.unread);
        result.attempts.push_back({attempt.front().student, asked_for(all), std::move(all.files)});
        return true;
      } catch (const UnreadableSubmission&) {
        return false;  // named in result.unread
      }
    };
    std::vector<std::vector<Submission>> all = job.attempts;
    all.insert(all.end(), job.others.begin(), job.others.end());
    all = join_single_files(std::move(all), course_topics_);
    const std::size_t judged = options_.attempt == Attempt::kBest ? all.size() : 1;
    for (std::size_t i = 0; i < judged; ++i) take(all[i]);
    std::string graded = result.attempts.empty() ? "" : file_names(all.front());
    for (std::size_t i = judged; i < all.size(); ++i) {
      if (result.attempts.empty() && take(all[i])) {
        graded = file_names(all[i]);
      } else {
        left += (left.empty() ? "" : ", ") + file_names(all[i]);
      }
    }
    if (result.attempts.empty()) return result;
    std::vector<std::string>& notes = result.attempts.back().work.notes;
    if (all.size() > judged) {
      notes.push_back("handed in several times; graded: " + graded +
                      (left.empty() ? "" : "; left: " + left));
    }
    return result;
  }

  /// "ada_2, ada_2.zip".
  static std::string file_names(const std::vector<Submission>& attempt) {
    std::string names;
    for (const Submission& one : attempt) {
      names += (names.empty() ? "" : ", ") + sanitize_line(one.path.filename().string());
      for (const fs::path& file : one.beside) {
        names += ", " + sanitize_line(file.filename().string());
      }
    }
    return names;
  }

  Judged grade_job(const Work& job) {
    for (const std::string& other : job.not_judged) add_problem(job.student.id, other);
    if (job.attempts.empty()) {
      const std::string message =
          job.not_judged.empty() ? kNotHandedIn : "nothing that can be judged was handed in";
      auto stored = kept(job.student, "not among these hand-ins", message);
      if (stored) return std::move(*stored);
      count(summary_.missing);
      Judged judged{all_with(job.student, Status::kMissing, message), {}};
      add_notes(job.not_judged, judged);
      return judged;
    }
    const HandIns hand_ins = hand_ins_of(job);
    const std::vector<Attempted>& attempts = hand_ins.attempts;
    if (attempts.empty()) return unreadable(job.student, hand_ins.unread);
    std::string key;
    for (const std::string& other : job.not_judged) key = sha256(key + other);
    for (const std::string& one : hand_ins.unread) {
      add_problem(job.student.id, unread_note(one));
      key = sha256(key + one);
    }
    for (const Attempted& attempt : attempts) {
      for (const std::string& note : attempt.work.notes) add_problem(job.student.id, note);
      keep_for_similarity(job.student, attempt.files);
      key = sha256(key + attempt.name + "\n" + key_of(job.student, attempt.work));
    }
    if (files_.is_done(job.student.id, key)) {
      const std::lock_guard guard(mutex_);
      ++summary_.reused;
      return {};
    }
    for (const ResultFiles& other : taken_) {
      if (!other.is_done(job.student.id, key)) continue;
      const std::lock_guard guard(mutex_);
      ++summary_.reused;
      return {*other.earlier(job.student.id), other.earlier_attempts(job.student.id)};
    }
    Judged judged = judge_all_of(job.student, attempts);
    add_notes(job.not_judged, judged);
    judged.results.key = is_to_be_judged_again(job.student) ? std::string() : key;
    judged.results.unread = hand_ins.unread;
    if (judged.attempts.empty()) add_unread_notes(judged.results);
    const std::lock_guard guard(mutex_);
    ++summary_.graded;
    return judged;
  }

  /// The page shows them, whichever attempt counts.
  static void add_notes(const std::vector<std::string>& notes, Judged& judged) {
    const auto add = [&](Results& results) {
      results.notes.insert(results.notes.end(), notes.begin(), notes.end());
    };
    add(judged.results);
    for (Results& attempt : judged.attempts) add(attempt);
  }

  /// Every attempt's result; choose_attempt() says which counts.
  Judged judge_all_of(const Student& student, const std::vector<Attempted>& attempts) {
    const fs::path work = options_.out / "work" / student_file_name(student.id);
    Judged judged;
    for (const Attempted& attempt : attempts) {
      fs::remove_all(work);
      judged.results = judge(student, attempt.work, work);
      fs::remove_all(work);
      judged.results.attempt = attempt.name;
      if (attempts.size() > 1) judged.attempts.push_back(judged.results);
    }
    return judged;
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
    workspace.cases = cases_;
    const std::vector<HandedInProgram> programs = handed_in_programs(collected, topics_);
    workspace.budget_seconds = budget_for(programs, topics_);
    unpack(collected, fs::absolute(work));
    Session session(std::move(workspace));
    for (const auto& [program, source] : programs_left_out(collected, topics_)) {
      session.set_failure(program, {Failure::kMissing, source + " was not handed in"});
    }
    std::map<std::string, Verdict> verdicts;
    for (const HandedInProgram& program : programs) {
      if (judge_program(session, program, fs::absolute(work), verdicts)) continue;
      judge_again(student);
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

  /// Waits until nothing else is timed; a timed exercise waits until nothing else runs.
  Verdict take_turn(Session& session, const Exercise& exercise) const {
    const base::FileLock turn = wait_for_turn(lock_file(), is_timed(exercise.kind()));
    return grade(session, exercise);
  }

  /// Such a result is stored without a key, so the next batch judges the hand-in again.
  bool is_to_be_judged_again(const Student& student) {
    const std::lock_guard guard(mutex_);
    return to_be_judged_again_.contains(student.id);
  }
  void judge_again(const Student& student) {
    const std::lock_guard guard(mutex_);
    to_be_judged_again_.insert(student.id);
  }

  /// Compiles a program and judges its exercises, unless the same work is known already. Returns
  /// false if a limit stopped the compiler, so that the verdicts are not final.
  bool judge_program(Session& session, const HandedInProgram& program, const fs::path& work,
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
        if (!is_lasting || !is_shared(exercise.kind())) continue;
        known[exercise.id] = verdict;
        shared_.keep(key, known);
      }
    }
    return is_lasting;
  }

  /// Returns false if a limit that a busy machine may reach stopped the compiler.
  bool compile(Session& session, const HandedInProgram& program, const fs::path& work) {
    const base::FileLock turn = wait_for_turn(lock_file(), false);
    count(summary_.compiled);
    const auto start = Clock::now();
    const CompileResult result = compile_program(program, course_, work, session.seconds_left());
    session.spend(std::chrono::duration<double>(Clock::now() - start).count());
    if (!result.uncounted.empty()) session.set_uncounted(program.name(), result.uncounted);
    if (!result.refusal.empty()) {
      session.set_failure(program.name(), {Failure::kRefused, result.refusal});
    } else if (!result.errors.empty()) {
      require_compiler(program, course_, work, result.errors);
      session.set_failure(program.name(), {Failure::kDoesNotCompile, result.errors});
    } else {
      session.set_compiled(program.name());
    }
    return !result.was_stopped;
  }

  void count(std::size_t& number) {
    const std::lock_guard guard(mutex_);
    ++number;
  }

  fs::path lock_file() const { return options_.out / ".turn"; }
  const fs::path& shared_folder() const {
    return options_.shared.empty() ? options_.out : options_.shared;
  }

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
        results.verdicts.push_back(status == Status::kMissing
                                       ? not_judged(exercise, backend_of(options_.build), message)
                                       : verdict_for(exercise, status, message));
      }
    }
    return results;
  }

  static std::string unread_note(const std::string& unread) {
    return unread + "; it was left out: hand it in again, or show it to the instructor";
  }
  static void add_unread_notes(Results& results) {
    for (const std::string& one : results.unread) results.notes.push_back(unread_note(one));
  }

  /// The result if something was handed in but none of it can be read.
  Judged unreadable(const Student& student, const Unread& unread) {
    std::string all;
    for (const std::string& one : unread) all += (all.empty() ? "" : "; ") + one;
    for (const std::string& one : unread) add_problem(student.id, unread_note(one));
    Judged judged;
    if (auto stored = kept(student, "no part of this hand-in can be read", all)) {
      judged = std::move(*stored);
      for (const std::string& one : judged.results.unread) {
        std::erase(judged.results.notes, unread_note(one));
      }
      judged.results.key.clear();  // the page is different without this hand-in
    } else {
      judged.results = broken(student, Status::kMissing, all);
    }
    judged.results.unread = unread;
    add_unread_notes(judged.results);
    return judged;
  }

  Results broken(const Student& student, Status status, const std::string& reason) {
    count(summary_.graded);
    return all_with(student, status, reason);
  }

  void add_problem(const std::string& student, const std::string& problem) {
    const std::lock_guard guard(mutex_);
    summary_.problems.emplace_back(student, problem);
  }

  void add_trouble(const std::string& trouble) {
    const std::lock_guard guard(mutex_);
    summary_.troubles.push_back(trouble);
  }

  /// Workers finish in any order; the file must not depend on that.
  void write_problems() {
    std::stable_sort(summary_.problems.begin(), summary_.problems.end());
    std::string csv = "student,problem\n";
    for (const auto& [student, problem] : summary_.problems) {
      csv += csv_field(student) + "," + csv_field(problem) + "\n";
    }
    base::write_file_atomically(options_.out / "problems.csv", csv);
  }

  /// What the student's page shows in addition to the results: the tasks with the student's
  /// numbers.
  PageFacts facts_for(const Student& student) const {
    PageFacts facts{student.name, options_.course, {}, roofs_, options_.rules};
    const Variant variant{options_.secret, student.id, version_of(student), options_.class_name};
    for (const Topic& topic : course_topics_) {
      for (const Exercise& exercise : topic.exercises) {
        facts.tasks[exercise.id] = task_text(exercise, variant);
      }
    }
    return facts;
  }

  void write(const Judged& judged, const Student& student) {
    if (!files_.holds(judged.results)) begin_to_write();
    const std::string change = files_.write(judged, facts_for(student));
    if (change.empty()) return;
    const std::lock_guard guard(mutex_);
    summary_.changes.push_back(change);
  }

  /// Keeps the state before this batch in out/before. A batch that continues an interrupted one
  /// keeps what that one stored there.
  void begin_to_write() {
    std::call_once(begun_, [&] {
      if (fs::exists(begun_file())) return;
      files_.back_up();
      base::write_file_atomically(begun_file(), "");
    });
  }

  /// Exists while results are being written.
  fs::path begun_file() const { return options_.out / ".begun"; }

  /// Starts with the results of earlier runs, including students whom another slice grades.
  void open_gradebook() {
    std::map<std::string, Results> earlier;
    for (const Student& student : class_) {
      if (auto results = files_.earlier(student.id)) earlier[student.id] = std::move(*results);
    }
    gradebook_.emplace(class_, columns_of(earlier));
    for (const auto& [student, results] : earlier) gradebook_->enter(student, results);
    base::write_file_quickly(gradebook_file(), gradebook_->csv());
  }

  /// The exercises of this batch, and those that earlier batches judged.
  std::vector<Topic> columns_of(const std::map<std::string, Results>& earlier) const {
    std::set<std::string> judged;
    for (const auto& [student, results] : earlier) {
      for (const Verdict& verdict : results.verdicts) judged.insert(verdict.id);
    }
    std::vector<Topic> columns = course_topics_;
    for (Topic& topic : columns) {
      std::erase_if(topic.exercises,
                    [&](const Exercise& e) { return !is_asked(e) && !judged.contains(e.id); });
    }
    return columns;
  }

  void write_gradebook(const Results& results) {
    const std::lock_guard guard(mutex_);
    gradebook_->enter(results.student, results);
    base::write_file_quickly(gradebook_file(), gradebook_->csv());
  }

  fs::path gradebook_file() const { return options_.out / "gradebook.csv"; }

  void keep_for_similarity(const Student& student,
                           const std::map<std::string, std::string>& files) {
    const std::lock_guard guard(mutex_);
    for (const auto& [file, text] : files) {
      if (!file.ends_with(".json")) work_.push_back({student.id, file, text});
    }
  }

  /// Pairs of similar submissions, without the unreadable ones.
  void write_similarity() {
    // Workers finish in any order; the report must not depend on that.
    std::sort(work_.begin(), work_.end(), [](const HandedIn& a, const HandedIn& b) {
      return std::tie(a.student, a.file) < std::tie(b.student, b.file);
    });
    std::map<std::string, std::string> starters;
    for (const HandedIn& own : work_) {
      if (!starters.contains(own.file)) {
        starters[own.file] = base::read_file_if_any(options_.root / "topics" / own.file);
      }
    }
    std::map<std::string, std::vector<std::string>> known;
    for (const auto& [file, starter] : starters) {
      known[file] = {starter, base::read_file_if_any(options_.root / "solutions" / file)};
    }
    summary_.identical = identical_work(work_, known);
    base::write_file_atomically(options_.out / "identical.csv", identical_csv(summary_.identical));
    const std::vector<SimilarPair> pairs = similar_pairs(work_, starters);
    summary_.alike = pairs.size();
    base::write_file_atomically(options_.out / "similarity.csv", similarity_csv(pairs));
  }

  BatchOptions options_;
  base::FileLock lock_;
  std::vector<Topic> course_topics_;  ///< all of them
  std::vector<Topic> topics_;         ///< with the exercises that are graded
  std::vector<Student> class_;        ///< everybody, in the gradebook's order
  Course course_;
  std::map<std::string, std::string> topic_keys_;  ///< hashes by topic
  std::shared_ptr<ReferenceAnswers> references_;
  std::shared_ptr<KnownCases> cases_ = std::make_shared<KnownCases>();
  ResultFiles files_;
  std::optional<roofline::Chart> roofs_;
  std::vector<ResultFiles> taken_;  ///< of BatchOptions::take
  SharedVerdicts shared_;
  std::optional<Gradebook> gradebook_;
  std::once_flag begun_;
  BatchSummary summary_;
  std::set<std::string> to_be_judged_again_;  ///< ids of students
  std::vector<HandedIn> work_;                ///< of the submissions read so far
  std::mutex mutex_;
};

}  // namespace

std::string_view name_of(Timed timed) {
  switch (timed) {
    case Timed::kAll:
      return "all";
    case Timed::kOnly:
      return "only";
    case Timed::kNone:
      return "none";
  }
  return "unknown";
}

BatchSummary run_batch(const BatchOptions& options) {
  return Batch(options).run();
}

}  // namespace grader
