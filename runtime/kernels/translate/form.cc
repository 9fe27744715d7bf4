#include "kernels/translate/form.h"

#include <algorithm>
#include <array>

namespace xfer::kernels {
namespace {

#define XFER_INTEGERS "u16 s16 u32 s32 u64 s64 "
#define XFER_FLOATS "f16 f16x2 bf16 bf16x2 f32 f64 "
#define XFER_BITS "b16 b32 b64 "

/// What PTX has an instruction for: the names of its first type, then of its second. LLVM wants no
/// other ones: it does not say what is wrong, it ends the program.
struct Types {
  std::string_view operation, first, second;
};

constexpr auto kTypes = std::to_array<Types>({
    {"abs", "s16 s32 s64 " XFER_FLOATS, ""},
    {"add", XFER_INTEGERS "u16x2 s16x2 f32x2 " XFER_FLOATS, "f16 bf16 "},
    {"addc", "u32 s32 u64 s64 ", ""},
    {"and", "pred " XFER_BITS, ""},
    {"atom", "b16 b32 b64 b128 u32 s32 u64 s64 " XFER_FLOATS, ""},
    {"bfe", "u32 s32 u64 s64 ", ""},
    {"bfi", "b32 b64 ", ""},
    {"bfind", "u32 s32 u64 s64 ", ""},
    {"bmsk", "b32 ", ""},
    {"brev", "b32 b64 ", ""},
    {"clz", "b32 b64 ", ""},
    {"cnot", XFER_BITS, ""},
    {"copysign", "f32 f64 ", ""},
    {"cos", "f32 ", ""},
    {"div", XFER_INTEGERS "f32 f64 ", ""},
    {"dp2a", "u32 s32 ", "u32 s32 "},
    {"dp4a", "u32 s32 ", "u32 s32 "},
    {"ex2", "f32 f16 f16x2 bf16 bf16x2 ", ""},
    {"fma", "f32x2 " XFER_FLOATS, "f16 bf16 "},
    {"fns", "b32 ", ""},
    {"lg2", "f32 ", ""},
    {"lop3", "b32 ", ""},
    {"mad", XFER_INTEGERS "f32 f64 ", ""},
    {"mad24", "u32 s32 ", ""},
    {"madc", "u32 s32 u64 s64 ", ""},
    {"max", XFER_INTEGERS "u16x2 s16x2 " XFER_FLOATS, ""},
    {"min", XFER_INTEGERS "u16x2 s16x2 " XFER_FLOATS, ""},
    {"mov", "pred b128 f32 f64 " XFER_BITS XFER_INTEGERS, ""},
    {"mul", XFER_INTEGERS "f32x2 " XFER_FLOATS, ""},
    {"mul24", "u32 s32 ", ""},
    {"neg", "s16 s32 s64 " XFER_FLOATS, ""},
    {"not", "pred " XFER_BITS, ""},
    {"or", "pred " XFER_BITS, ""},
    {"popc", "b32 b64 ", ""},
    {"prmt", "b32 ", ""},
    {"rcp", "f32 f64 ", ""},
    {"red", "b32 b64 u32 s32 u64 s64 " XFER_FLOATS, ""},
    {"rem", XFER_INTEGERS, ""},
    {"rsqrt", "f32 f64 ", ""},
    {"sad", XFER_INTEGERS, ""},
    {"selp", "f32 f64 " XFER_BITS XFER_INTEGERS, ""},
    {"set", "u32 s32 u16 s16 " XFER_FLOATS, XFER_BITS XFER_INTEGERS XFER_FLOATS},
    {"setp", XFER_BITS XFER_INTEGERS XFER_FLOATS, ""},
    {"shf", "b32 ", ""},
    {"shl", XFER_BITS, ""},
    {"shr", XFER_BITS XFER_INTEGERS, ""},
    {"sin", "f32 ", ""},
    {"slct", "f32 f64 " XFER_BITS XFER_INTEGERS, "s32 f32 "},
    {"sqrt", "f32 f64 ", ""},
    {"sub", XFER_INTEGERS "f32x2 " XFER_FLOATS, "f16 bf16 "},
    {"subc", "u32 s32 u64 s64 ", ""},
    {"szext", "u32 s32 ", ""},
    {"tanh", "f32 f16 f16x2 bf16 bf16x2 ", ""},
    {"testp", "f32 f64 ", ""},
    {"xor", "pred " XFER_BITS, ""},
});
static_assert(std::ranges::is_sorted(kTypes, {}, &Types::operation));

#undef XFER_INTEGERS
#undef XFER_FLOATS
#undef XFER_BITS

/// Whether the name is one of those, each of which a space ends.
bool among(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t end = names.find(' ');
    if (names.substr(0, end) == name) return true;
    names.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace

void refuse(const ptx::Instruction& instruction, std::string_view why) {
  std::string text = "`" + std::string(instruction.operation);
  for (const std::string_view modifier : instruction.modifiers) (text += '.') += modifier;
  (text += "` ") += why;
  throw ptx::Fault(instruction.line, text);
}

Form::Form(const ptx::Instruction& instruction) : instruction_(&instruction) {
  const auto* const row =
      std::ranges::lower_bound(kTypes, instruction.operation, {}, &Types::operation);
  const bool known = row != kTypes.end() && row->operation == instruction.operation;
  for (const std::string_view modifier : instruction.modifiers) {
    const auto type = ptx::type_named(modifier);
    if (!type) continue;
    if (known && (types_.size() > 1 || !among(types_.empty() ? row->first : row->second, modifier)))
      refuse("has types that PTX does not have");
    types_.push_back(*type);
  }
}

ptx::Type Form::type(std::size_t n) const {
  if (n >= types_.size()) refuse("lacks a type");
  return types_[n];
}

const ptx::Operand& Form::operand(std::size_t n) const {
  if (n >= instruction_->operands.size()) refuse("lacks an operand");
  return instruction_->operands[n];
}

std::string_view Form::space() const {
  for (const std::string_view modifier : instruction_->modifiers) {
    const std::string_view space = modifier.substr(0, modifier.find("::"));
    for (const std::string_view known : {"global", "shared", "local", "param", "const"})
      if (space == known) return known;
  }
  return {};
}

unsigned Form::vector() const { return has("v2") ? 2 : has("v4") ? 4 : has("v8") ? 8 : 1; }

}  // namespace xfer::kernels
