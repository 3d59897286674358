// SPDX-License-Identifier: MIT
// Archives for tests, as students' programs make them.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace support {

/// A file of a submission; with `link` a symbolic link to there, or with `hard_link` another name
/// of that file, which of these formats only tar can say.
struct Entry {
  std::string path;
  std::string content;
  std::string link = {};
  std::string hard_link = {};
};

inline void add_entry(archive* out, const Entry& e) {
  archive_entry* entry = archive_entry_new();
  archive_entry_set_pathname_utf8(entry, e.path.c_str());
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_filetype(entry, e.link.empty() ? AE_IFREG : AE_IFLNK);
  if (!e.link.empty()) archive_entry_set_symlink(entry, e.link.c_str());
  if (!e.hard_link.empty()) archive_entry_set_hardlink(entry, e.hard_link.c_str());
  archive_entry_set_size(entry, static_cast<la_int64_t>(e.content.size()));
  archive_write_header(out, entry);
  archive_write_data(out, e.content.data(), e.content.size());
  archive_entry_free(entry);
}

/// Writes an archive in the format that its name's ending says, entries in the given order.
inline std::filesystem::path write_archive(const std::filesystem::path& file,
                                           const std::vector<Entry>& entries,
                                           const std::string& password = "") {
  ::setlocale(LC_CTYPE, "C.UTF-8");  // for names that are not ASCII
  archive* out = archive_write_new();
  const std::string name = file.filename().string();
  bool is_written = archive_write_set_format_filter_by_ext(out, name.c_str()) == ARCHIVE_OK;
  archive_write_set_options(out, name.ends_with(".zip") ? "hdrcharset=UTF-8" : "");
  if (!password.empty()) {
    archive_write_set_options(out, "zip:encryption=zipcrypt");
    archive_write_set_passphrase(out, password.c_str());
  }
  is_written = is_written && archive_write_open_filename(out, file.c_str()) == ARCHIVE_OK;
  if (is_written) {
    for (const Entry& e : entries) add_entry(out, e);
    archive_write_close(out);
  }
  archive_write_free(out);
  ::setlocale(LC_CTYPE, "C");
  if (!is_written) throw std::runtime_error("cannot write " + file.string());
  return file;
}

/// The files of an archive by their paths.
inline std::map<std::string, std::string> files_of(const std::filesystem::path& file) {
  std::map<std::string, std::string> files;
  archive* in = archive_read_new();
  archive_read_support_format_all(in);
  archive_read_support_filter_all(in);
  constexpr std::size_t kBlock = 10240;
  bool is_read = archive_read_open_filename(in, file.c_str(), kBlock) == ARCHIVE_OK;
  archive_entry* entry = nullptr;
  while (is_read && archive_read_next_header(in, &entry) == ARCHIVE_OK) {
    std::string& content = files[archive_entry_pathname(entry)];
    content.resize(static_cast<std::size_t>(archive_entry_size(entry)));
    is_read = archive_read_data(in, content.data(), content.size()) ==
              static_cast<la_ssize_t>(content.size());
  }
  archive_read_free(in);
  if (!is_read) throw std::runtime_error("cannot read " + file.string());
  return files;
}

/// One file, compressed with gzip.
inline std::string compressed(const std::string& content) {
  std::string out(content.size() + 100000, '\0');
  std::size_t used = 0;
  archive* writer = archive_write_new();
  archive_write_add_filter_gzip(writer);
  archive_write_set_format_raw(writer);
  archive_write_set_bytes_in_last_block(writer, 1);
  archive_write_open_memory(writer, out.data(), out.size(), &used);
  add_entry(writer, {"x", content, ""});
  archive_write_close(writer);
  archive_write_free(writer);
  return out.substr(0, used);
}

/// A few kilobytes that unfold to hundreds of gigabytes.
inline std::string triple_bomb() {
  std::string bytes(50 << 20, '\0');
  for (int i = 0; i < 3; ++i) bytes = compressed(bytes);
  return bytes;
}

}  // namespace support
