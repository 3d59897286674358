// SPDX-License-Identifier: MIT
// Disassembles with capstone.
#include "arithmetic.hpp"

#include <capstone/capstone.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "source/host_functions.hpp"
#include "source/source_lines.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier): the compiler's names
extern "C" void __sanitizer_cov_trace_pc();
// NOLINTEND(bugprone-reserved-identifier)

namespace gpu::cpu::check {
namespace {

using vgpu::Arithmetic;

#ifdef __aarch64__
constexpr cs_arch kArchitecture = CS_ARCH_ARM64;
constexpr cs_mode kMode = CS_MODE_ARM;
#else
constexpr cs_arch kArchitecture = CS_ARCH_X86;
constexpr cs_mode kMode = CS_MODE_64;
#endif
constexpr std::size_t kLongestInstruction = 16;
/// Jumps followed within one piece; compilers emit one for each number that they convert by
/// branching.
constexpr int kMostJumps = 100;

/// What one instruction computes: the number format, and how many numbers at a time.
struct Operation {
  const char* format = "fp32";
  double Arithmetic::*kind = nullptr;
  double numbers = 1;
  bool is_packed = false;  ///< a GPU does it to two numbers in one instruction
};

struct Disassembler {
  Disassembler() {
    if (cs_open(kArchitecture, kMode, &handle) != CS_ERR_OK) return;
    cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
    instruction = cs_malloc(handle);
  }
  csh handle = 0;
  cs_insn* instruction = nullptr;
};

Disassembler& disassembler() {
  static Disassembler& one = *new Disassembler;
  return one;
}

/// The instruction at `address`, or nullptr.
const cs_insn* instruction_at(Address address) {
  Disassembler& tool = disassembler();
  if (tool.instruction == nullptr) return nullptr;
  const auto* code = reinterpret_cast<const std::uint8_t*>(address);
  std::size_t size = kLongestInstruction;
  std::uint64_t at = address;
  return cs_disasm_iter(tool.handle, &code, &size, &at, tool.instruction) ? tool.instruction
                                                                          : nullptr;
}

bool is_in_group(const cs_insn& instruction, std::uint8_t group) {
  return cs_insn_group(disassembler().handle, &instruction, group);
}

#ifdef __aarch64__
std::span<const cs_arm64_op> operands_of(const cs_insn& instruction) {
  const cs_arm64& detail = instruction.detail->arm64;
  return {detail.operands, detail.op_count};
}

/// Scalar arithmetic on registers s and d: "fadd s0, s0, s1".
std::optional<Operation> operation_of(const cs_insn& instruction) {
  static const std::map<std::string_view, double Arithmetic::*> kinds = {
      {"fadd", &Arithmetic::add},      {"fsub", &Arithmetic::add},
      {"fmul", &Arithmetic::multiply}, {"fnmul", &Arithmetic::multiply},
      {"fdiv", &Arithmetic::divide},   {"fsqrt", &Arithmetic::special},
      {"fmadd", &Arithmetic::fma},     {"fmsub", &Arithmetic::fma},
      {"fnmadd", &Arithmetic::fma},    {"fnmsub", &Arithmetic::fma}};
  const auto kind = kinds.find(instruction.mnemonic);
  if (kind == kinds.end()) return std::nullopt;
  return Operation{instruction.op_str[0] == 'd' ? "fp64" : "fp32", kind->second};
}

Address behind_stub(const cs_insn&) {
  return 0;
}

/// The format of a register, from the first letter of its name.
const char* format_of(char first_letter) {
  return first_letter == 'd' ? "fp64" : first_letter == 's' ? "fp32" : "fp16";
}

/// Conversions between formats: reports the floating-point format that is converted from, or that
/// an integer is converted to.
std::optional<Operation> conversion_of(const cs_insn& instruction) {
  const std::string_view name = instruction.mnemonic;
  const std::string_view operands = instruction.op_str;
  if (name == "scvtf" || name == "ucvtf") {
    return Operation{format_of(operands[0]), &Arithmetic::convert};
  }
  if (name != "fcvt" && !name.starts_with("fcvtz")) return std::nullopt;
  return Operation{format_of(operands[operands.rfind(' ') + 1]), &Arithmetic::convert};
}

/// Unsigned numbers convert in one instruction on this processor.
bool is_conversion(const cs_insn&) {
  return false;
}

bool adds_to_itself(const cs_insn&) {
  return false;
}

/// A constant that an instruction puts into a register. (Those that take two instructions are not
/// recognised.)
std::optional<double> constant_in(const cs_insn& instruction) {
  const cs_arm64& detail = instruction.detail->arm64;
  if (instruction.id != ARM64_INS_FMOV || detail.operands[1].type != ARM64_OP_FP) {
    return std::nullopt;
  }
  return detail.operands[1].fp;
}

/// A non-temporal store of a pair; the access is not reported.
bool is_hidden_access(const cs_insn& instruction) {
  const std::string_view name = instruction.mnemonic;
  return name == "ldnp" || name == "stnp";
}
#else
std::span<const cs_x86_op> operands_of(const cs_insn& instruction) {
  const cs_x86& detail = instruction.detail->x86;
  return {detail.operands, detail.op_count};
}

/// An instruction's name without the letter of AVX: "addss" for "vaddss".
std::string_view plain_name(const cs_insn& instruction) {
  std::string_view name = instruction.mnemonic;
  if (name.starts_with('v')) name.remove_prefix(1);
  return name;
}

/// Where the constant or variable of the program is that an operand names; 0 for other operands.
Address static_address(const cs_insn& instruction, const cs_x86_op& operand) {
  if (operand.type != X86_OP_MEM || operand.mem.base != X86_REG_RIP) return 0;
  return instruction.address + instruction.size + static_cast<Address>(operand.mem.disp);
}

/// Scalar arithmetic: "addss", "vaddss", "vfmadd231sd" and so on. A vector instruction such as
/// "vaddps" counts for all its numbers; compilers emit none here, so it was written by hand.
std::optional<Operation> operation_of(const cs_insn& instruction) {
  const std::string_view name = plain_name(instruction);
  const bool is_double = name.ends_with("sd");
  const bool is_vector = name.ends_with("ps");
  if (!is_double && !is_vector && !name.ends_with("ss")) return std::nullopt;
  const char* format = is_double ? "fp64" : "fp32";
  const double numbers =
      is_vector ? instruction.detail->x86.operands[0].size / double{sizeof(float)} : 1;
  const std::string_view stem = name.substr(0, name.size() - 2);
  if (stem == "add" || stem == "sub") return Operation{format, &Arithmetic::add, numbers};
  if (stem == "mul") return Operation{format, &Arithmetic::multiply, numbers};
  if (stem == "div") return Operation{format, &Arithmetic::divide, numbers};
  if (stem == "sqrt") return Operation{format, &Arithmetic::special, numbers};
  if (stem.starts_with("fmadd") || stem.starts_with("fmsub") || stem.starts_with("fnmadd") ||
      stem.starts_with("fnmsub")) {
    return Operation{format, &Arithmetic::fma, numbers};
  }
  return std::nullopt;
}

/// Conversions between formats: reports the floating-point format that is converted from, or that
/// an integer is converted to.
std::optional<Operation> conversion_of(const cs_insn& instruction) {
  const std::string_view name = plain_name(instruction);
  if (!name.starts_with("cvt")) return std::nullopt;
  const auto has = [&](const char* part) { return name.find(part) != name.npos; };
  if (has("si2sd") || has("sd2si") || has("sd2ss")) return Operation{"fp64", &Arithmetic::convert};
  if (has("si2ss") || has("ss2si") || has("ss2sd")) return Operation{"fp32", &Arithmetic::convert};
  return std::nullopt;
}

/// Conversions to float or double. Where the processor converts only signed numbers, large unsigned
/// ones are halved before and doubled after.
bool is_conversion(const cs_insn& instruction) {
  return std::string_view(instruction.mnemonic).find("cvtsi2s") != std::string_view::npos;
}

bool adds_to_itself(const cs_insn& instruction) {
  const auto operands = operands_of(instruction);
  return std::ranges::all_of(operands, [&](const cs_x86_op& one) {
    return one.type == X86_OP_REG && one.reg == operands.front().reg;
  });
}

/// A constant of the program that an instruction loads into a register.
std::optional<double> constant_in(const cs_insn& instruction) {
  static const std::vector<AddressRange> variables = writable_static_memory();
  const std::string_view name = plain_name(instruction);
  const auto operands = operands_of(instruction);
  if ((name != "movss" && name != "movsd") || operands.size() != 2) return std::nullopt;
  const cs_x86_op& from = operands[1];
  const Address at = static_address(instruction, from);
  if (at == 0) return std::nullopt;
  const auto is_here = [&](const AddressRange& range) { return range.contains(at, from.size); };
  if (std::ranges::any_of(variables, is_here)) return std::nullopt;
  const auto read = [&](auto number) {
    std::memcpy(&number, reinterpret_cast<const void*>(at), sizeof number);
    return double{number};
  };
  return name == "movsd" ? read(double{}) : read(float{});
}

/// Whether an operand lies where a pointer leads, and is no variable of the function or the file.
bool is_through_pointer(const cs_x86_op& operand) {
  constexpr std::array kOwn = {X86_REG_RBP, X86_REG_RSP, X86_REG_RIP};
  return operand.type == X86_OP_MEM && std::ranges::find(kOwn, operand.mem.base) == kOwn.end();
}

/// Whether an operand is one of the registers with the lanes that an instruction leaves out.
bool is_mask(const cs_x86_op& operand) {
  return operand.type == X86_OP_REG && X86_REG_K0 <= operand.reg && operand.reg <= X86_REG_K7;
}

/// Accesses that the instrumentation does not report and that compilers do not emit on their own:
/// gathers, scatters, masked accesses, non-temporal stores, comparisons of bytes, and what built-in
/// functions for this processor load and store.
bool is_hidden_access(const cs_insn& instruction) {
  const std::string_view name = instruction.mnemonic;
  const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
  if (std::ranges::any_of(std::array{"gather", "scatter", "maskmov", "movnt"}, has)) return true;
  const auto operands = operands_of(instruction);
  if (std::ranges::none_of(operands, is_through_pointer)) return false;
  if (std::ranges::any_of(operands, is_mask)) return true;
  // Compilers do store with movlps.
  if (has("movlp")) return is_through_pointer(operands.back());
  return std::ranges::any_of(std::array{"lddqu", "movhp", "broadcast", "expand", "compress",
                                        "cmpsb", "scasb", "rstor", "movdir"},
                             has);
}

/// The current target of "jmp *[rip + offset]" or of such a call; 0 for all others.
Address behind_stub(const cs_insn& instruction) {
  const auto operands = operands_of(instruction);
  const Address slot = operands.empty() ? 0 : static_address(instruction, operands.front());
  if (slot == 0) return 0;
  Address target = 0;
  std::memcpy(&target, reinterpret_cast<const void*>(slot), sizeof target);
  return target;
}
#endif

/// The target of a call or jump, its last operand; 0 if it is in a register or in memory.
Address target_of(const cs_insn& instruction) {
  const auto operands = operands_of(instruction);
  const bool is_given = !operands.empty() && static_cast<int>(operands.back().type) == CS_OP_IMM;
  return is_given ? static_cast<Address>(operands.back().imm) : 0;
}

/// The register that an operand is; 0 for other operands.
unsigned register_of(const auto& operand) {
  return static_cast<int>(operand.type) == CS_OP_REG ? operand.reg : 0;
}

/// The register that an instruction writes; 0 if it writes to memory.
unsigned target_register(const cs_insn& instruction) {
  const auto operands = operands_of(instruction);
  return operands.empty() ? 0 : register_of(operands.front());
}

/// 0 if the divisor is in memory.
unsigned divisor_register(const cs_insn& division) {
  return register_of(operands_of(division).back());
}

/// The address of a maths library function after dynamic linking.
template <class Number, class... Numbers>
Address address_of(Number (*function)(Number, Numbers...)) {
  return reinterpret_cast<Address>(function);
}

/// The operation that each maths library function counts as, by address.
std::map<Address, Operation> library_operations() {
  std::map<Address, Operation> operations = {
      {address_of<float, float, float>(::fmaf), {"fp32", &Arithmetic::fma}},
      {address_of<double, double, double>(::fma), {"fp64", &Arithmetic::fma}}};
  for (float (*function)(float) :
       {&::sqrtf, &::expf, &::exp2f, &::expm1f, &::logf, &::log2f, &::log10f, &::log1pf, &::sinf,
        &::cosf, &::tanf, &::tanhf, &::erff}) {
    operations[address_of(function)] = {"fp32", &Arithmetic::special};
  }
  for (double (*function)(double) : {&::sqrt, &::exp, &::exp2, &::expm1, &::log, &::log2, &::log10,
                                     &::log1p, &::sin, &::cos, &::tan, &::tanh, &::erf}) {
    operations[address_of(function)] = {"fp64", &Arithmetic::special};
  }
  operations[address_of<float, float>(::powf)] = {"fp32", &Arithmetic::special};
  operations[address_of<double, double>(::pow)] = {"fp64", &Arithmetic::special};
  return operations;
}

/// Where a call ends up: shared libraries' functions are called through a stub.
Address behind_stubs(Address called) {
  constexpr int kStubInstructions = 3;
  Address at = called;
  for (int i = 0; i < kStubInstructions; ++i) {
    const cs_insn* const instruction = instruction_at(at);
    if (instruction == nullptr) break;
    if (is_in_group(*instruction, CS_GRP_JUMP)) {
      const Address target = behind_stub(*instruction);
      return target == 0 ? called : target;
    }
    at += instruction->size;  // skips the marker of an indirect-branch target
  }
  return called;
}

/// The operation that a called function counts as, also if it is called through a shared library's
/// stub.
std::optional<Operation> library_operation(Address function) {
  static const std::map<Address, Operation> operations = library_operations();
  const auto known = operations.find(behind_stubs(function));
  if (known == operations.end()) return std::nullopt;
  return known->second;
}

/// 16-bit numbers are computed in float here, and pairs one number after the other. A GPU has one
/// instruction for each computing or converting function of these headers, so the arithmetic inside
/// them does not count.
bool emulates_halves(const SourcePlace& place) {
  return place.file == "half.hpp" || place.file == "half_conversion.hpp";
}

/// The operation that a function of half.hpp counts as when called from elsewhere, by its mangled
/// name (Itanium C++ ABI); nothing for functions that only move bits.
std::optional<Operation> half_operation(std::string_view name) {
  struct Function {
    std::string_view begins, ends;
    Operation operation;
  };
  using A = Arithmetic;
  static constexpr Function kFunctions[] = {
      {"_Z6__haddI", "", {"", &A::add}},
      {"_Z6__hsubI", "", {"", &A::add}},
      {"_Z6__hmulI", "", {"", &A::multiply}},
      {"_Z6__hfmaI", "", {"", &A::fma}},
      {"_Z7__hadd2I", "", {"", &A::add, 2, true}},
      {"_Z7__hmul2I", "", {"", &A::multiply, 2, true}},
      {"_Z7__hfma2I", "", {"", &A::fma, 2, true}},
      {"_ZN3gpu3cpuplENS0_8Number16", "", {"", &A::add}},
      {"_ZN3gpu3cpumiENS0_8Number16", "", {"", &A::add}},
      {"_ZN3gpu3cpumlENS0_8Number16", "", {"", &A::multiply}},
      {"_ZN3gpu3cpudvENS0_8Number16", "", {"", &A::divide}},
      {"_ZN3gpu3cpu8Number16", "pLES2_", {"", &A::add}},
      {"_ZN3gpu3cpu8Number16", "mIES2_", {"", &A::add}},
      {"_ZN3gpu3cpu8Number16", "mLES2_", {"", &A::multiply}},
      {"_ZN3gpu3cpu8Number16", "dVES2_", {"", &A::divide}},
      {"_ZNK3gpu3cpu8Number16", "cvfEv", {"", &A::convert}},
      {"_Z12__half2float", "", {"", &A::convert}},
      {"_Z16__bfloat162float", "", {"", &A::convert}},
      {"_Z14__half22float2", "", {"", &A::convert, 2}},
      {"_Z18__bfloat1622float2", "", {"", &A::convert, 2}},
      {"_Z11__low2float", "", {"", &A::convert}},
      {"_Z12__high2float", "", {"", &A::convert}},
      // Conversions to 16 bits: one instruction rounds a pair.
      {"_ZN3gpu3cpu8Number16", "Ef", {"fp32", &A::convert}},
      {"_ZN3gpu3cpu8Number16", "Ed", {"fp64", &A::convert}},
      {"_ZN3gpu3cpu8Number16", "Ei", {"", &A::convert}},
      {"_Z12__float2half", "", {"fp32", &A::convert}},
      {"_Z15__float2half_rn", "", {"fp32", &A::convert}},
      {"_Z16__float2bfloat16", "", {"fp32", &A::convert}},
      {"_Z17__floats2half2_rn", "", {"fp32", &A::convert}},
      {"_Z16__float2half2_rn", "", {"fp32", &A::convert}},
      {"_Z21__floats2bfloat162_rn", "", {"fp32", &A::convert}},
  };
  for (const Function& function : kFunctions) {
    if (!name.starts_with(function.begins) || !name.ends_with(function.ends)) continue;
    Operation operation = function.operation;
    // Operations on 16-bit numbers; the mangled type says which format.
    if (operation.format[0] == '\0') {
      operation.format = name.find("bfloat") == name.npos ? "fp16" : "bf16";
    }
    return operation;
  }
  return std::nullopt;
}

/// The function that a call leads to, also through an entry of the table that the loader fills; 0
/// if that depends on data.
Address called_by(const cs_insn& call) {
  const Address target = target_of(call);
  return target == 0 ? behind_stub(call) : target;
}

/// The constants that registers hold, as far as the instructions of a piece say.
class Constants {
 public:
  /// Whether a GPU's compiler makes a multiplication of this division: the reciprocal of a power of
  /// two is exact.
  bool divides_by_power_of_two(const cs_insn& division) const {
    const auto known = in_registers_.find(divisor_register(division));
    if (known == in_registers_.end() || !std::isfinite(known->second)) return false;
    int exponent = 0;
    return std::abs(std::frexp(known->second, &exponent)) == 0.5;
  }
  void follow(const cs_insn& instruction) {
    if (is_in_group(instruction, CS_GRP_CALL)) in_registers_.clear();
    const unsigned target = target_register(instruction);
    in_registers_.erase(target);
    if (const auto constant = constant_in(instruction)) in_registers_[target] = *constant;
  }

 private:
  std::map<unsigned, double> in_registers_;
};

[[noreturn]] void refuse_in_kernel(Address return_address, const std::string& what_it_does) {
  const SourcePlace at = source_place(return_address);
  throw std::runtime_error(at.file + ":" + std::to_string(at.line) + ": the kernel " +
                           what_it_does);
}

bool is_conditional(const cs_insn& jump) {
#ifdef __aarch64__
  const arm64_cc condition = jump.detail->arm64.cc;
  const bool is_always = condition == ARM64_CC_INVALID || condition == ARM64_CC_AL;
  return jump.id != ARM64_INS_BR && (jump.id != ARM64_INS_B || !is_always);
#else
  return jump.id != X86_INS_JMP && jump.id != X86_INS_LJMP;
#endif
}

/// Calls take(instruction, address behind it) for the instructions from `place` on, up to a jump or
/// the next traced piece.
template <class Take>
void for_each_instruction(Address place, Take take) {
  const auto next_piece = reinterpret_cast<Address>(&__sanitizer_cov_trace_pc);
  int jumps = 0;
  for (const cs_insn* i = instruction_at(place); i != nullptr; i = instruction_at(place)) {
    place += i->size;
    if (is_in_group(*i, CS_GRP_CALL) && called_by(*i) == next_piece) return;
    const bool ends = is_in_group(*i, CS_GRP_RET);
    // A branch in the source leads to another piece, which begins with a report of its own. The
    // remaining branches are the compiler's and stay inside a piece: they report an index, or
    // convert an unsigned number where the processor has no instruction for it.
    const bool goes_elsewhere = is_in_group(*i, CS_GRP_JUMP) && !is_conditional(*i);
    const Address target = goes_elsewhere ? target_of(*i) : 0;
    take(*i, place);  // may disassemble other code; the instruction is lost
    if (ends || (goes_elsewhere && (target == 0 || ++jumps > kMostJumps))) return;
    if (goes_elsewhere) place = target;
  }
}

}  // namespace

std::vector<LineArithmetic> arithmetic_of(Address piece) {
  std::map<std::tuple<std::string, int, bool, std::string>, Arithmetic> sums;
  const auto add = [&](const Operation& operation, Address address) {
    const SourcePlace at = source_place(address + 1);
    if (emulates_halves(at)) return;
    Arithmetic& sum = sums[{at.file, at.line, at.is_kernel_file, operation.format}];
    sum.*operation.kind += operation.numbers;
    if (operation.is_packed) ++sum.packed;
  };
  bool is_converted = false;
  Constants constants;
  for_each_instruction(piece, [&](const cs_insn& i, Address next) {
    auto operation = operation_of(i);
    if (operation && operation->kind == &Arithmetic::divide &&
        constants.divides_by_power_of_two(i)) {
      operation->kind = &Arithmetic::multiply;
    }
    constants.follow(i);
    const bool doubles = std::exchange(is_converted, is_conversion(i)) && adds_to_itself(i);
    if (doubles) return;
    if (is_hidden_access(i)) {
      refuse_in_kernel(next, std::string("has the instruction ") + i.mnemonic +
                                 " of this processor; no GPU has it");
    }
    if (is_in_group(i, CS_GRP_CALL)) {
      const Address called = called_by(i);
      if (called == 0) {
        refuse_in_kernel(next,
                         "calls a function through a pointer, which hides what it does from the "
                         "checks; call it by its name");
      }
      if (const auto of_library = library_operation(called)) {
        add(*of_library, next - 1);
      } else if (emulates_halves(source_place(called + 1))) {
        if (const auto half = half_operation(function_name(called))) add(*half, next - 1);
      } else if (const std::string name = name_on_host(behind_stubs(called)); !name.empty()) {
        refuse_in_kernel(next, "calls " + name + ", a function of the host; no GPU has it");
      }
    } else if (operation) {
      add(*operation, next - 1);
    } else if (const auto conversion = conversion_of(i)) {
      add(*conversion, next - 1);
    }
  });
  std::vector<LineArithmetic> result;
  for (const auto& [at, work] : sums) {
    const auto& [file, line, is_kernel_file, format] = at;
    result.push_back({file, line, is_kernel_file, format, work});
  }
  return result;
}

bool only_computes(Address piece) {
  bool does_more = false;
  for_each_instruction(piece, [&](const cs_insn& i, Address) {
    does_more = does_more || (is_in_group(i, CS_GRP_CALL) && !library_operation(called_by(i)));
  });
  return !does_more;
}

}  // namespace gpu::cpu::check
