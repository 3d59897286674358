// SPDX-License-Identifier: MIT
// Looks through the debug information of the main program for variables with an address.
#include "variables.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <array>
#include <optional>
#include <utility>

#include "debug_information.hpp"

namespace gpu::cpu::check {
namespace {

/// The address of a variable.
struct Location {
  Address address = 0;
  bool is_thread_local = false;
};

/// Nothing for a variable on a stack or in registers.
std::optional<Location> location_of(Dwarf_Die* variable) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(variable, DW_AT_location, &attribute) == nullptr ||
      dwarf_getlocation(&attribute, &operations, &count) != 0 || count == 0) {
    return std::nullopt;
  }
  if (count == 2 && (operations[1].atom == DW_OP_form_tls_address ||
                     operations[1].atom == DW_OP_GNU_push_tls_address)) {
    return Location{operations[0].number, true};
  }
  if (count != 1) return std::nullopt;
  if (operations[0].atom == DW_OP_addr) return Location{operations[0].number, false};
  Dwarf_Attribute indirect;  // clang keeps addresses in a table
  Dwarf_Addr address = 0;
  if (dwarf_getlocation_attr(&attribute, operations, &indirect) != 0 ||
      dwarf_formaddr(&indirect, &address) != 0) {
    return std::nullopt;
  }
  return Location{address, false};
}

std::optional<Dwarf_Die> type_of(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type, peeled;
  if (dwarf_attr_integrate(die, DW_AT_type, &attribute) == nullptr ||
      dwarf_formref_die(&attribute, &type) == nullptr || dwarf_peel_type(&type, &peeled) != 0) {
    return std::nullopt;
  }
  return peeled;
}

/// The number of elements of one dimension; 0 if unknown.
std::size_t extent_of(Dwarf_Die* range) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr(range, DW_AT_count, &attribute), &value) == 0) return value;
  if (dwarf_formudata(dwarf_attr(range, DW_AT_upper_bound, &attribute), &value) == 0)
    return value + 1;
  return 0;
}

/// An unnamed variable if its type is unknown.
Variable described(Dwarf_Die* die) {
  Variable variable;
  std::optional<Dwarf_Die> type = type_of(die);
  const char* name = dwarf_diename(die);
  Dwarf_Word bytes = 0;
  if (!type || name == nullptr || dwarf_aggregate_size(&*type, &bytes) != 0) return variable;
  variable.name = name;
  variable.bytes = bytes;
  while (type && dwarf_tag(&*type) == DW_TAG_array_type) {
    for_each_child(&*type, [&](Dwarf_Die* range) {
      if (dwarf_tag(range) == DW_TAG_subrange_type) variable.extents.push_back(extent_of(range));
    });
    type = type_of(&*type);
  }
  return variable;
}

/// The file that declares a variable, or nullptr.
const char* file_of(Dwarf_Die* variable) {
  if (const char* const file = dwarf_decl_file(variable)) return file;
  // In DWARF 5 the unit's own file has the number 0, which this function of libdw takes to mean
  // none.
  Dwarf_Attribute attribute;
  Dwarf_Word number = 1;
  Dwarf_Die unit;
  const bool is_units =
      dwarf_formudata(dwarf_attr_integrate(variable, DW_AT_decl_file, &attribute), &number) == 0 &&
      number == 0 && dwarf_diecu(variable, &unit, nullptr, nullptr) != nullptr;
  return is_units ? dwarf_diename(&unit) : nullptr;
}

struct AllVariables {
  Variables statics, shared;

  void add_of(Dwarf_Die* scope, Dwarf_Addr bias) {
    for_each_child(scope, [&](Dwarf_Die* die) {
      switch (dwarf_tag(die)) {
        case DW_TAG_variable:
          add(die, bias);
          break;
        case DW_TAG_namespace:
        case DW_TAG_subprogram:
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine:
          add_of(die, bias);
          break;
        default:
          break;
      }
    });
  }

 private:
  void add(Dwarf_Die* die, Dwarf_Addr bias) {
    const std::optional<Location> location = location_of(die);
    if (!location) return;
    const char* const file = file_of(die);
    if (!location->is_thread_local && (file == nullptr || !is_kernel_file(file))) return;
    Variable variable = described(die);
    if (variable.name.empty() || variable.bytes == 0) return;
    if (location->is_thread_local) {
      shared.add(location->address, std::move(variable));
    } else {
      statics.add(location->address + bias, std::move(variable));
    }
  }
};

/// Reads the module that contains this function: the program, because the checker is linked into
/// it.
AllVariables read() {
  AllVariables all;
  Dwfl* const process = this_process();
  Dwfl_Module* const module =
      process == nullptr ? nullptr
                         : dwfl_addrmodule(process, reinterpret_cast<Dwarf_Addr>(&this_process));
  Dwarf_Die* unit = nullptr;
  Dwarf_Addr bias = 0;
  while (module != nullptr && (unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) {
    all.add_of(unit, bias);
  }
  return all;
}

const AllVariables& all_variables() {
  static const AllVariables& all = *new AllVariables(read());  // never destroyed: used to the end
  return all;
}

}  // namespace

void Variables::add(Address begin, Variable variable) {
  by_begin_.try_emplace(begin, std::move(variable));
}

const std::pair<const Address, Variable>* Variables::holding(Address address) const {
  const auto next = by_begin_.upper_bound(address);
  if (next == by_begin_.begin()) return nullptr;
  const auto& variable = *std::prev(next);
  return address < variable.first + variable.second.bytes ? &variable : nullptr;
}

const Variables& static_variables() {
  return all_variables().statics;
}

const Variables& shared_variables() {
  return all_variables().shared;
}

std::string element_name(const Variable& variable, std::size_t offset) {
  std::string name = variable.name;
  std::size_t bytes = variable.bytes;  // size of the element that the next index selects
  for (const std::size_t extent : variable.extents) {
    if (extent == 0) break;
    bytes /= extent;
    name += "[" + std::to_string(offset / bytes) + "]";
    offset %= bytes;
  }
  return name;
}

}  // namespace gpu::cpu::check
