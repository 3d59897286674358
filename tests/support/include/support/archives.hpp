// SPDX-License-Identifier: MIT
// Archives for tests, as made by students' programs.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace support {

/// A file of a submission; with `link` a symbolic link to that path, or with `hard_link` another
/// name of that file, which only tar supports among these formats.
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

/// CRC-32 as used by zip and rar.
inline std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~crc;
}

/// A 32-bit number in rar 5's format, least significant byte first.
inline std::string rar_word(std::uint32_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8U * static_cast<unsigned>(i)));
  return bytes;
}

/// A number of any size: seven bits per byte, lowest first.
inline std::string rar_number(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7U) bytes += static_cast<char>(0x80 | (value & 0x7f));
  return bytes + static_cast<char>(value);
}

inline std::string rar_header(const std::string& fields) {
  const std::string sized = rar_number(fields.size()) + fields;
  return rar_word(crc32(sized)) + sized;
}

/// Files stored in a rar 5 archive, which libarchive reads but does not write.
inline std::string rar_archive(const std::vector<Entry>& entries) {
  constexpr std::uint64_t kMain = 1, kFile = 2, kEnd = 5, kHasData = 2, kHasCrc = 4, kUnix = 1;
  const std::string none = rar_number(0);
  std::string archive =
      std::string("Rar!\x1a\x07\x01\0", 8) + rar_header(rar_number(kMain) + none + none);
  for (const Entry& e : entries) {
    const std::string size = rar_number(e.content.size()), mode = rar_number(0100644);
    archive += rar_header(rar_number(kFile) + rar_number(kHasData) + size + rar_number(kHasCrc) +
                          size + mode + rar_word(crc32(e.content)) + none + rar_number(kUnix) +
                          rar_number(e.path.size()) + e.path) +
               e.content;
  }
  return archive + rar_header(rar_number(kEnd) + none + none);
}

/// Writes an archive in the format given by its file extension, with entries in the given order.
inline std::filesystem::path write_archive(const std::filesystem::path& file,
                                           const std::vector<Entry>& entries,
                                           const std::string& password = "") {
  if (file.extension() == ".rar") {
    std::ofstream(file, std::ios::binary) << rar_archive(entries);
    return file;
  }
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

/// The files of an archive, by path.
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

/// A few kilobytes that expand to hundreds of gigabytes.
inline std::string triple_bomb() {
  std::string bytes(50 << 20, '\0');
  for (int i = 0; i < 3; ++i) bytes = compressed(bytes);
  return bytes;
}

}  // namespace support
