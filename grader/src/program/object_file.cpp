// SPDX-License-Identifier: MIT
// A small reader for ELF and ar files.
#include "grader/program/object_file.hpp"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>

#include "base/files.hpp"

namespace grader {
namespace {

// The ELF layout, defined here because systems without <elf.h> can still read such files.
struct ElfHeader {
  unsigned char ident[16];
  std::uint16_t type, machine;
  std::uint32_t version;
  std::uint64_t entry, program_headers, section_headers;
  std::uint32_t flags;
  std::uint16_t header_size, program_header_size, program_header_count, section_header_size,
      section_count, name_section;
};
struct ElfSection {
  std::uint32_t name, type;
  std::uint64_t flags, address, offset, size;
  std::uint32_t link, info;
  std::uint64_t alignment, entry_size;
};
struct ElfSymbol {
  std::uint32_t name;
  unsigned char info, other;
  std::uint16_t section;
  std::uint64_t value, size;
};
struct ElfRelocation {
  std::uint64_t offset, info;
  std::int64_t addend;
};

constexpr std::uint32_t kSymbolTable = 2, kRelocations = 4, kNoBits = 8, kDynamicSymbols = 11,
                        kWideSectionNumbers = 18;
constexpr std::uint64_t kExecutable = 4;
constexpr unsigned kLocal = 0, kGlobal = 1;
constexpr unsigned kFunction = 2, kSectionSymbol = 3, kIfunc = 10;
constexpr std::uint16_t kUndefined = 0, kWideNumber = 0xffff;

class Elf {
 public:
  explicit Elf(std::string_view bytes) : bytes_(bytes) {
    if (!bytes.starts_with("\x7f"
                           "ELF\x02\x01"))
      return;
    const auto header = get<ElfHeader>(0);
    if (!header || header->section_header_size != sizeof(ElfSection)) return;
    for (std::uint64_t i = 0; i < header->section_count; ++i) {
      const auto section = get<ElfSection>(header->section_headers + i * sizeof(ElfSection));
      if (!section) return;
      sections_.push_back(*section);
    }
    if (header->name_section >= sections_.size()) return;
    names_ = header->name_section;
    is_elf_ = true;
  }

  bool is_elf() const { return is_elf_; }

  ObjectFile read() const {
    ObjectFile object;
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      object.sections.push_back(name_of(i));
      const std::uint32_t type = sections_[i].type;
      if (type == kSymbolTable || type == kDynamicSymbols) read_symbols(i, object);
      // Functions that run automatically are in a table of addresses, each filled in by a
      // relocation.
      if (type == kRelocations && sections_[i].info < sections_.size()) {
        const std::string table = name_of(sections_[i].info);
        for (const char* hook :
             {".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors"})
          if (table.starts_with(hook)) read_hooks(i, object);
      }
    }
    return object;
  }

 private:
  template <class T>
  std::optional<T> get(std::uint64_t at) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return value;
  }

  /// Entry `index` of a table.
  template <class T>
  std::optional<T> entry(std::size_t section, std::uint64_t index) const {
    const ElfSection& table = sections_[section];
    if (index >= table.size / sizeof(T)) return std::nullopt;
    return get<T>(table.offset + index * sizeof(T));
  }

  std::string text_at(std::size_t table, std::uint64_t at) const {
    if (table >= sections_.size() || sections_[table].type == kNoBits) return {};
    const std::uint64_t begin = sections_[table].offset + at;
    if (at >= sections_[table].size || begin >= bytes_.size()) return {};
    const std::string_view rest = bytes_.substr(begin);
    return std::string(rest.substr(0, rest.find('\0')));
  }

  std::string name_of(std::size_t section) const {
    return text_at(names_, sections_[section].name);
  }

  /// The number of a symbol's section; files with many sections store it in a table.
  std::uint64_t section_of(std::size_t table, std::uint64_t index, const ElfSymbol& symbol) const {
    if (symbol.section != kWideNumber) return symbol.section;
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      if (sections_[i].type != kWideSectionNumbers || sections_[i].link != table) continue;
      if (const auto number = entry<std::uint32_t>(i, index)) return *number;
    }
    return symbol.section;
  }

  void read_symbols(std::size_t table, ObjectFile& object) const {
    for (std::uint64_t i = 0;; ++i) {
      const auto symbol = entry<ElfSymbol>(table, i);
      if (!symbol) return;
      const unsigned binding = symbol->info >> 4U, type = symbol->info & 15U;
      if (binding == kLocal && type != kIfunc) continue;
      const std::uint64_t section = section_of(table, i, *symbol);
      const bool is_code = type == kFunction || type == kIfunc ||
                           (section < sections_.size() && section != kUndefined &&
                            (sections_[section].flags & kExecutable) != 0);
      object.symbols.push_back({text_at(sections_[table].link, symbol->name),
                                symbol->section != kUndefined, binding == kGlobal, is_code,
                                type == kIfunc});
    }
  }

  void read_hooks(std::size_t relocations, ObjectFile& object) const {
    const std::size_t table = sections_[relocations].link;
    for (std::uint64_t i = 0;; ++i) {
      const auto relocation = entry<ElfRelocation>(relocations, i);
      if (!relocation) return;
      const auto target = table < sections_.size()
                              ? entry<ElfSymbol>(table, relocation->info >> 32U)
                              : std::nullopt;
      object.hooks.push_back(target ? hook_name(table, *target, relocation->addend) : "?");
    }
  }

  /// The function that a hook points to: by its own symbol, or as a place in a section.
  std::string hook_name(std::size_t table, const ElfSymbol& target, std::int64_t addend) const {
    if ((target.info & 15U) != kSectionSymbol) {
      return text_at(sections_[table].link, target.name);
    }
    const std::uint64_t place = target.value + static_cast<std::uint64_t>(addend);
    for (std::uint64_t i = 0;; ++i) {
      const auto symbol = entry<ElfSymbol>(table, i);
      if (!symbol) return "?";
      if ((symbol->info & 15U) == kFunction && symbol->section == target.section &&
          symbol->value == place) {
        return text_at(sections_[table].link, symbol->name);
      }
    }
  }

  std::string_view bytes_;
  std::vector<ElfSection> sections_;
  std::size_t names_ = 0;
  bool is_elf_ = false;
};

constexpr std::string_view kArMagic = "!<arch>\n";
constexpr std::size_t kArHeader = 60;

/// Calls `take` with the content of every member.
template <class Take>
void for_each_member(std::string_view archive, Take take) {
  std::size_t at = kArMagic.size();
  while (at + kArHeader <= archive.size()) {
    const std::string_view size_text = archive.substr(at + 48, 10);
    std::size_t size = 0;
    std::from_chars(size_text.data(), size_text.data() + size_text.size(), size);
    at += kArHeader;
    take(archive.substr(at, size));
    at += size + size % 2;
  }
}

void add_names(std::string_view bytes, std::set<std::string>& names) {
  bool is_elf = false;
  for (const ObjectSymbol& symbol : parse_object(bytes, is_elf).symbols) {
    // Half of the C library's symbols are weak and must count; weak ones of C++ are template
    // copies.
    const bool counts = symbol.is_strong || !symbol.name.starts_with("_Z");
    if (symbol.is_defined && counts) names.insert(symbol.name);
  }
}

}  // namespace

ObjectFile parse_object(std::string_view bytes, bool& is_elf) {
  const Elf elf(bytes);
  is_elf = elf.is_elf();
  return is_elf ? elf.read() : ObjectFile{};
}

std::set<std::string> names_defined_by(const std::filesystem::path& library) {
  const std::string bytes = base::read_file_if_any(library);
  std::set<std::string> names;
  if (std::string_view(bytes).starts_with(kArMagic)) {
    for_each_member(bytes, [&](std::string_view member) { add_names(member, names); });
  } else {
    add_names(bytes, names);
  }
  return names;
}

}  // namespace grader
