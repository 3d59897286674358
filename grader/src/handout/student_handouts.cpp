// SPDX-License-Identifier: MIT
// Seals every answer once for all students with its numbers, then writes one archive per student.
#include "grader/handout/student_handouts.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <latch>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/files.hpp"
#include "base/text.hpp"
#include "grader/batch/result_files.hpp"
#include "grader/exercise/starter.hpp"
#include "grader/handout/export_student.hpp"
#include "handout/exercises_text.hpp"
#include "handout/zip.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// An exercise and the values of its parameters: students with the same values share an answer.
using Question = std::pair<std::string, std::vector<double>>;

Question question_of(const Exercise& exercise, const Variant& variant) {
  Question question{exercise.id, {}};
  for (const ExerciseParameter& parameter : exercise.parameters()) {
    question.second.push_back(value_of(parameter, exercise.id, variant));
  }
  return question;
}

/// An answer to seal, with the numbers of one of the students who share them.
struct Order {
  const Exercise* exercise;
  Variant variant;
  Seal seal;
};

/// The sealed answers of a class. Equal questions share a seal. That reveals nothing: a student's
/// own exercises.toml says in clear text which numbers it is for.
class SealedClass {
 public:
  SealedClass(const Workspace& workspace, const std::vector<Topic>& topics,
              const std::vector<Variant>& variants)
      : topics_(topics) {
    for (const Variant& variant : variants) {
      for (const Topic& topic : topics) {
        for (const Exercise& exercise : topic.exercises) {
          if (!can_be_sealed(exercise)) continue;
          orders_.try_emplace(question_of(exercise, variant), Order{&exercise, variant, {}});
        }
      }
    }
    seal_all(workspace);
  }

  /// In exercise order, as in every handout.
  std::vector<Seal> seals_of(const Variant& variant) const {
    std::vector<Seal> seals;
    for (const Topic& topic : topics_) {
      for (const Exercise& exercise : topic.exercises) {
        if (!can_be_sealed(exercise)) continue;
        seals.push_back(orders_.at(question_of(exercise, variant)).seal);
      }
    }
    return seals;
  }
  std::size_t size() const { return orders_.size(); }

 private:
  /// Deriving keys takes nearly all of the time, so the work is spread over all cores.
  void seal_all(Workspace workspace) {
    if (!workspace.references) workspace.references = references_of(workspace.build);
    std::vector<Order*> orders;
    for (auto& [question, order] : orders_) orders.push_back(&order);
    const std::size_t count =
        std::min<std::size_t>(orders.size(), std::max(1U, std::thread::hardware_concurrency()));
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex mutex;
    // The answers programs end with the thread that started them, and all threads use them.
    std::latch idle(static_cast<std::ptrdiff_t>(count));
    std::vector<std::thread> workers;
    for (std::size_t w = 0; w < count; ++w) {
      workers.emplace_back([&] {
        try {
          for (std::size_t i = next++; i < orders.size(); i = next++) {
            seal(workspace, *orders[i]);
          }
        } catch (...) {
          next = orders.size();
          const std::lock_guard guard(mutex);
          failure = std::current_exception();
        }
        idle.arrive_and_wait();
      });
    }
    for (std::thread& worker : workers) worker.join();
    if (failure) std::rethrow_exception(failure);
  }

  static void seal(Workspace workspace, Order& order) {
    workspace.variant = order.variant;
    Session session(std::move(workspace));
    order.seal = seal_answer(session, *order.exercise, kExportIterations);
  }

  const std::vector<Topic>& topics_;
  std::map<Question, Order> orders_;
};

/// A folder that gets its final name when it is complete; before that, it is removed on failure.
class NewFolder {
 public:
  explicit NewFolder(const fs::path& out) : out_(fs::absolute(out).lexically_normal()) {
    if (!out_.has_filename()) out_ = out_.parent_path();
    std::error_code error;
    if (fs::exists(out_, error) && !(fs::is_directory(out_) && fs::is_empty(out_))) {
      throw std::runtime_error(out.string() + " is not empty; name a new folder");
    }
    fs::create_directories(out_.parent_path(), error);
    std::string name = out_.string() + ".XXXXXX";
    if (error || ::mkdtemp(name.data()) == nullptr) {
      const std::string reason = error ? error.message() : std::strerror(errno);
      throw std::runtime_error("cannot write the folder " + out.string() + " (" + reason +
                               "); name a new one where you may write");
    }
    path_ = name;
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  ~NewFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

  const fs::path& path() const { return path_; }

  void keep() {
    fs::permissions(path_, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                               fs::perms::others_read | fs::perms::others_exec);
    fs::rename(path_, out_);  // also replaces an empty folder
    path_.clear();
  }

 private:
  fs::path out_;
  fs::path path_;
};

/// The students' archives: "ada.zip". @throws if two names differ only in case, because some file
/// systems would keep one of them.
std::vector<std::string> file_names(const std::vector<Student>& students) {
  std::vector<std::string> names;
  std::map<std::string, std::string> taken;
  for (const Student& student : students) {
    names.push_back(student_file_name(student.id) + ".zip");
    const std::string key = base::lower_case(names.back());
    const auto [place, is_new] = taken.try_emplace(key, student.id);
    if (is_new) continue;
    throw std::runtime_error(
        fmt::format("the ids {} and {} would be the same file on some systems; change one of them",
                    place->second, student.id));
  }
  return names;
}

std::vector<Variant> variants_of(const Variant& variant, const std::vector<Student>& students) {
  std::vector<Variant> variants;
  for (const Student& student : students) {
    variants.push_back(variant);
    variants.back().student = student.id;
    if (student.variant_version > 0) variants.back().version = student.variant_version;
  }
  return variants;
}

/// The topics' files, which differ between students only in the numbers.
class OwnFiles {
 public:
  OwnFiles(const fs::path& root, const std::vector<Topic>& topics) : topics_(topics) {
    for (const Topic& topic : topics) {
      const fs::path file = fs::path("topics") / topic.name / "exercises.toml";
      texts_.emplace_back(topic, base::read_file(root / file), file.string());
    }
  }

  std::vector<std::pair<std::string, std::string>> of(const Variant& variant,
                                                      const std::vector<Seal>& seals) const {
    std::vector<std::pair<std::string, std::string>> files;
    files.emplace_back("numbers.txt", variant_sheet(topics_, variant));
    for (std::size_t i = 0; i < topics_.size(); ++i) {
      const std::string folder = "topics/" + topics_[i].name + "/";
      if (asks_for_answers(topics_[i])) {
        files.emplace_back(folder + "answers.toml", starter_answers(topics_[i], variant));
      }
      files.emplace_back(folder + "exercises.toml", texts_[i].with_numbers_of(variant));
    }
    files.emplace_back(std::string(kHandoutFolder) + "/answers.json", seals_json(seals));
    return files;
  }

 private:
  const std::vector<Topic>& topics_;
  std::vector<ExercisesText> texts_;
};

}  // namespace

StudentHandouts write_student_handouts(const Workspace& workspace,
                                       const std::vector<Student>& students, const fs::path& out) {
  if (students.empty()) throw std::runtime_error("there is nobody on the roster");
  const std::vector<std::string> names = file_names(students);
  NewFolder folder(out);
  std::vector<SchemaError> errors;
  const std::vector<Topic> topics = load_topics(workspace.root, errors);
  if (!errors.empty()) throw std::runtime_error(describe(errors.front()));
  const OwnFiles own(workspace.root, topics);
  const std::vector<Variant> variants = variants_of(workspace.variant, students);
  const SealedClass sealed(workspace, topics, variants);
  StudentHandouts summary{students.size(), sealed.size(), 0};
  for (std::size_t i = 0; i < students.size(); ++i) {
    const std::string zip = zip_of(own.of(variants[i], sealed.seals_of(variants[i])));
    base::write_file_atomically(folder.path() / names[i], zip);
    summary.bytes += zip.size();
  }
  folder.keep();
  return summary;
}

}  // namespace grader
