// SPDX-License-Identifier: MIT
// Reads archives with libarchive, counting everything that is unpacked.
#include "grader/batch/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <memory>
#include <string_view>

namespace grader {
namespace {

constexpr std::array<std::string_view, 14> kEndings = {
    ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tar.lzma", ".tgz", ".tbz2",
    ".tbz",    ".txz",     ".tzst",   ".tar",     ".zip",      ".7z",  ".rar"};

std::string_view archive_ending(std::string_view name) {
  const auto same = [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); };
  for (const std::string_view ending : kEndings) {
    if (name.size() <= ending.size()) continue;
    const std::string_view end = name.substr(name.size() - ending.size());
    if (std::equal(ending.begin(), ending.end(), end.begin(), same)) return end;
  }
  return {};
}

/// libarchive converts names to the thread's locale, and the C locale has only ASCII.
class Utf8Names {
 public:
  Utf8Names() : utf8_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (utf8_ != nullptr) before_ = ::uselocale(utf8_);
  }
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;
  ~Utf8Names() {
    if (utf8_ == nullptr) return;
    ::uselocale(before_);
    ::freelocale(utf8_);
  }

 private:
  locale_t utf8_;
  locale_t before_ = nullptr;
};

using Archive = std::unique_ptr<archive, decltype(&archive_read_free)>;

/// Formats are named one by one: "all" would include mtree, which reads files of this machine, and
/// filters that start other programs.
void support_formats(archive* reader) {
  archive_read_support_filter_gzip(reader);
  archive_read_support_filter_bzip2(reader);
  archive_read_support_filter_xz(reader);
  archive_read_support_filter_lzma(reader);
  archive_read_support_filter_zstd(reader);
  archive_read_support_format_tar(reader);
  archive_read_support_format_zip(reader);
  archive_read_support_format_7zip(reader);
  archive_read_support_format_rar(reader);
  archive_read_support_format_rar5(reader);
}

std::string path_of(archive_entry* entry) {
  const char* name = archive_entry_pathname_utf8(entry);
  if (name == nullptr) name = archive_entry_pathname(entry);
  std::string path = name == nullptr ? "" : name;
  std::replace(path.begin(), path.end(), '\\', '/');  // some programs on Windows store it this way
  return path;
}

class Reader {
 public:
  Reader(const std::filesystem::path& file, std::int64_t largest_file, const ArchiveLimits& limits)
      : archive_(archive_read_new(), archive_read_free),
        largest_file_(largest_file),
        limits_(limits),
        start_(std::chrono::steady_clock::now()) {
    support_formats(archive_.get());
    if (archive_read_open_filename(archive_.get(), file.c_str(), 65536) != ARCHIVE_OK) {
      throw UnreadableSubmission("it is not an archive, or it is damaged");
    }
    // The last filter is the file itself. A few kilobytes that were compressed three times can
    // unpack to hundreds of gigabytes.
    if (archive_filter_count(archive_.get()) > 2) {
      throw UnreadableSubmission("the archive is compressed more than once");
    }
  }

  /// The next entry; nothing after the last.
  archive_entry* next() {
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(archive_.get(), &entry);
    if (result == ARCHIVE_EOF) return nullptr;
    if (result < ARCHIVE_WARN) throw UnreadableSubmission("it is not an archive, or it is damaged");
    if (++entries_ > limits_.entries)
      throw UnreadableSubmission("the archive has too many entries");
    check_time();
    return entry;
  }

  ArchiveEntry read(archive_entry* entry) {
    ArchiveEntry result{path_of(entry), {}, {}};
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != nullptr ||
        archive_entry_symlink(entry) != nullptr) {
      result.problem = "is a link or not a regular file";
    } else if (archive_entry_is_encrypted(entry) != 0) {
      result.problem = "is locked by a password";
    } else if (!read_content(result.content)) {
      result.content.clear();
      result.problem = "is larger than " + std::to_string(largest_file_ >> 20) + " MB";
    }
    return result;
  }

  /// Skips an entry. A zip file has an index; in all other formats the content has to be unpacked
  /// to be skipped, and that counts against the limit.
  void skip() {
    if ((archive_format(archive_.get()) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP) return;
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    while (archive_read_data_block(archive_.get(), &block, &size, &offset) == ARCHIVE_OK) {
      skipped_ += static_cast<std::int64_t>(size);
      if (skipped_ > limits_.skipped_bytes) {
        throw UnreadableSubmission("the archive is too large when unpacked");
      }
      check_time();
    }
  }

 private:
  bool read_content(std::string& content) {
    std::array<char, 65536> chunk{};
    while (true) {
      const la_ssize_t count = archive_read_data(archive_.get(), chunk.data(), chunk.size());
      if (count < 0) throw UnreadableSubmission("the archive is damaged");
      if (count == 0) return true;
      content.append(chunk.data(), static_cast<std::size_t>(count));
      if (static_cast<std::int64_t>(content.size()) > largest_file_) {
        skip();
        return false;
      }
      kept_ += count;
      if (kept_ > limits_.kept_bytes)
        throw UnreadableSubmission("the archive is too large when unpacked");
      check_time();
    }
  }
  void check_time() const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    if (spent.count() > limits_.seconds) {
      throw UnreadableSubmission("the archive takes too long to unpack");
    }
  }

  Utf8Names names_;
  Archive archive_;
  std::int64_t largest_file_;
  ArchiveLimits limits_;
  std::chrono::steady_clock::time_point start_;
  int entries_ = 0;
  std::int64_t kept_ = 0;
  std::int64_t skipped_ = 0;
};

}  // namespace

bool is_archive_name(const std::string& name) {
  return !archive_ending(name).empty();
}

std::string without_archive_ending(const std::string& name) {
  return name.substr(0, name.size() - archive_ending(name).size());
}

void read_archive(const std::filesystem::path& file, std::int64_t largest_file,
                  const std::function<bool(const std::string&)>& is_wanted,
                  const std::function<void(ArchiveEntry)>& take, const ArchiveLimits& limits) {
  Reader reader(file, largest_file, limits);
  while (archive_entry* entry = reader.next()) {
    if (is_wanted(path_of(entry))) {
      take(reader.read(entry));
    } else {
      reader.skip();
    }
  }
}

}  // namespace grader
