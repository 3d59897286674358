// SPDX-License-Identifier: MIT
// Worker threads over submissions, cached results, gradebook.
#include "grader/batch.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <tuple>

#include "grader/grade.hpp"
#include "grader/similarity.hpp"
#include "harness/build_info.hpp"
#include "roofline/measurement.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

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
      jobs.push_back({{submission.student, ""}, &submission});
    return jobs;
  }
  for (const Student& student : read_roster(options.roster)) {
    const auto own = std::find_if(found.begin(), found.end(),
                                  [&](const Submission& s) { return belongs_to(s, student.id); });
    jobs.push_back({student, own == found.end() ? nullptr : &*own});
  }
  return jobs;
}

/// A student's id as a file name: what could leave the folder is replaced.
std::string file_name(const std::string& id) {
  std::string name = id;
  for (char& c : name) {
    if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < ' ') c = '_';
  }
  return name == "." || name == ".." || name.empty() ? "_" : name;
}

/// Grades the submissions of one batch.
class Batch {
 public:
  explicit Batch(BatchOptions options) : options_(std::move(options)) {
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
    for (const char* folder : {"results", "reports", "work"}) {
      fs::create_directories(options_.out / folder);
    }
    if (options_.seed == 0) options_.seed = std::random_device{}();
  }

  BatchSummary run() {
    const auto start = Clock::now();
    const std::vector<Submission> found = find_submissions(options_.submissions);
    const std::vector<Job> jobs = make_jobs(options_, found);
    std::vector<std::thread> workers;
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};
    const std::size_t count =
        std::min<std::size_t>(jobs.size(), static_cast<std::size_t>(std::max(1, options_.jobs)));
    for (std::size_t w = 0; w < count; ++w) {
      workers.emplace_back([&] {
        for (std::size_t i = next++; i < jobs.size(); i = next++) {
          finish(jobs[i]);
          report_progress(++done, jobs.size(), start);
        }
      });
    }
    for (std::thread& worker : workers) worker.join();
    write_gradebook(jobs);
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

  fs::path result_file(const Student& student) const {
    return options_.out / "results" / (file_name(student.id) + ".json");
  }

  /// Everything that decides a result, but the noise of timing.
  std::string key_of(const Student& student, const Collected& collected) const {
    std::string text = content_hash(collected) + options_.secret +
                       std::to_string(options_.variant_version) + student.id;
    for (const Topic& topic : topics_) {
      text += read_text(topic.folder / "exercises.toml");
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
      write(job.student, results);
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
    if (is_done(job.student, key)) {
      const std::lock_guard guard(mutex_);
      ++summary_.reused;
      return {};
    }
    const fs::path work = options_.out / "work" / file_name(job.student.id);
    fs::remove_all(work);
    Results results = judge(job.student, collected, work);
    results.key = key;
    fs::remove_all(work);
    const std::lock_guard guard(mutex_);
    ++summary_.graded;
    return results;
  }

  bool is_done(const Student& student, const std::string& key) const {
    const fs::path file = result_file(student);
    if (!fs::exists(file)) return false;
    try {
      const Results earlier = parse_results(read_text(file));
      return earlier.complete && earlier.key == key;
    } catch (const std::runtime_error&) {
      return false;
    }
  }

  Results judge(const Student& student, const Collected& collected, const fs::path& work) {
    const Course course{source_of_build(), fs::absolute(options_.root),
                        fs::absolute(options_.build)};
    Workspace workspace;
    workspace.root = options_.root;
    workspace.build = options_.build;
    workspace.submission = fs::absolute(work);
    workspace.student_bin = fs::absolute(work) / "build" / "bin";
    workspace.isolation = options_.isolation;
    workspace.seed = options_.seed;
    workspace.variant = {options_.secret, student.id, options_.variant_version};
    {
      const Turn turn(lock_file(), false);
      workspace.compile_errors = build_submission(collected, topics_, course, fs::absolute(work));
    }
    Session session(std::move(workspace));
    Results results = empty_results(student);
    for (const Topic& topic : topics_) {
      for (const Exercise& exercise : topic.exercises) {
        const Turn turn(lock_file(), is_timed(exercise.kind));
        results.verdicts.push_back(grade(session, exercise));
      }
    }
    for (const std::string& note : collected.notes) results.notes.push_back(note);
    return results;
  }

  fs::path lock_file() const { return options_.out / ".turn"; }

  fs::path source_of_build() const {
    std::ifstream in(options_.build / "CMakeCache.txt");
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("CMAKE_HOME_DIRECTORY:")) return line.substr(line.find('=') + 1);
    }
    throw std::runtime_error(options_.build.string() + " is no build tree");
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

  void write(const Student& student, const Results& results) {
    const fs::path file = result_file(student);
    if (fs::exists(file)) note_change(student, results, file);
    roofline::write_file_atomically(file, results_json(results));
    roofline::write_file_atomically(options_.out / "reports" / (file_name(student.id) + ".html"),
                                    results_html(results, std::nullopt));
  }

  void note_change(const Student& student, const Results& results, const fs::path& file) {
    double before = 0;
    try {
      before = parse_results(read_text(file)).points();
    } catch (const std::runtime_error&) {
      return;
    }
    if (before == results.points()) return;
    std::ostringstream line;
    line << student.id << ": " << before << " -> " << results.points() << " points";
    const std::lock_guard guard(mutex_);
    summary_.changes.push_back(line.str());
  }

  void write_gradebook(const std::vector<Job>& jobs) const {
    std::vector<std::pair<Student, Results>> all;
    for (const Job& job : jobs) {
      all.emplace_back(job.student, parse_results(read_text(result_file(job.student))));
    }
    std::string csv = "id,name,points,max_points";
    for (const Topic& topic : topics_) {
      for (const Exercise& exercise : topic.exercises) csv += "," + exercise.id;
    }
    csv += "\n";
    for (const auto& [student, results] : all) {
      csv += csv_field(student.id) + "," + csv_field(student.name) + "," +
             csv_number(results.points()) + "," + csv_number(results.max_points());
      for (const Verdict& verdict : results.verdicts) {
        csv += "," + (is_counted(verdict.status) ? csv_number(verdict.points) : std::string());
      }
      csv += "\n";
    }
    roofline::write_file_atomically(options_.out / "gradebook.csv", csv);
  }

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
        starters[own.file] = read_text(options_.root / "topics" / own.file);
      }
    }
    const std::vector<SimilarPair> pairs = similar_pairs(work_, starters);
    summary_.alike = pairs.size();
    roofline::write_file_atomically(options_.out / "similarity.csv", similarity_csv(pairs));
  }

  BatchOptions options_;
  std::vector<Topic> topics_;
  BatchSummary summary_;
  std::vector<HandedIn> work_;  ///< of the submissions read so far
  std::mutex mutex_;
};

}  // namespace

std::vector<Student> read_roster(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!in || !std::getline(in, line)) throw std::runtime_error("cannot read " + file.string());
  const std::vector<std::string> header = csv_fields(line);
  const auto column = [&](const char* name) {
    return std::find(header.begin(), header.end(), name) - header.begin();
  };
  const auto id = static_cast<std::size_t>(column("id"));
  const auto name = static_cast<std::size_t>(column("name"));
  if (id == header.size()) {
    throw std::runtime_error(file.string() + ":1: the header has no column id");
  }
  std::vector<Student> students;
  std::set<std::string> seen;
  for (int number = 2; std::getline(in, line); ++number) {
    const std::vector<std::string> fields = csv_fields(line);
    if (fields.size() == 1 && fields[0].empty()) continue;
    const std::string place = file.string() + ":" + std::to_string(number) + ": ";
    if (fields.size() <= id || fields[id].empty()) throw std::runtime_error(place + "no id");
    if (!seen.insert(fields[id]).second) throw std::runtime_error(place + "id used twice");
    students.push_back({fields[id], name < fields.size() ? fields[name] : ""});
  }
  return students;
}

BatchSummary run_batch(const BatchOptions& options) {
  return Batch(options).run();
}

}  // namespace grader
