// SPDX-License-Identifier: MIT
// libarchive's writer, into a string.
#include "handout/zip.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <ctime>
#include <memory>
#include <stdexcept>

namespace grader {
namespace {

void require(bool works, archive* writer) {
  if (works) return;
  const char* reason = archive_error_string(writer);
  throw std::runtime_error(std::string("cannot make a zip archive: ") +
                           (reason == nullptr ? "libarchive gives no reason" : reason));
}

la_ssize_t append(archive*, void* out, const void* bytes, std::size_t count) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(bytes), count);
  return static_cast<la_ssize_t>(count);
}

}  // namespace

std::string zip_of(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string zip;
  const std::unique_ptr<archive, decltype(&archive_write_free)> writer(archive_write_new(),
                                                                       archive_write_free);
  const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                            archive_entry_free);
  archive_write_set_bytes_in_last_block(writer.get(), 1);
  require(archive_write_set_format_zip(writer.get()) == ARCHIVE_OK &&
              archive_write_open(writer.get(), &zip, nullptr, append, nullptr) == ARCHIVE_OK,
          writer.get());
  for (const auto& [path, content] : files) {
    archive_entry_clear(entry.get());
    archive_entry_set_pathname(entry.get(), path.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content.size()));
    archive_entry_set_mtime(entry.get(), std::time(nullptr), 0);
    const auto size = static_cast<la_ssize_t>(content.size());
    require(archive_write_header(writer.get(), entry.get()) == ARCHIVE_OK &&
                archive_write_data(writer.get(), content.data(), content.size()) == size,
            writer.get());
  }
  require(archive_write_close(writer.get()) == ARCHIVE_OK, writer.get());
  return zip;
}

}  // namespace grader
