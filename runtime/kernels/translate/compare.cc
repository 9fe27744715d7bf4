// Comparisons, and choices by their result.

#include <llvm/IR/Constants.h>

#include <array>
#include <optional>

#include "kernels/translate/floating.h"
#include "kernels/translate/instructions.h"

namespace xfer::kernels {
namespace {

using Predicate = llvm::CmpInst::Predicate;

struct Comparison {
  std::string_view name;
  Predicate of_signed, of_unsigned, of_float;
};

constexpr auto kComparisons = std::to_array<Comparison>({
    {"eq", Predicate::ICMP_EQ, Predicate::ICMP_EQ, Predicate::FCMP_OEQ},
    {"ne", Predicate::ICMP_NE, Predicate::ICMP_NE, Predicate::FCMP_ONE},
    {"lt", Predicate::ICMP_SLT, Predicate::ICMP_ULT, Predicate::FCMP_OLT},
    {"le", Predicate::ICMP_SLE, Predicate::ICMP_ULE, Predicate::FCMP_OLE},
    {"gt", Predicate::ICMP_SGT, Predicate::ICMP_UGT, Predicate::FCMP_OGT},
    {"ge", Predicate::ICMP_SGE, Predicate::ICMP_UGE, Predicate::FCMP_OGE},
    {"lo", Predicate::ICMP_ULT, Predicate::ICMP_ULT, Predicate::FCMP_OLT},
    {"ls", Predicate::ICMP_ULE, Predicate::ICMP_ULE, Predicate::FCMP_OLE},
    {"hi", Predicate::ICMP_UGT, Predicate::ICMP_UGT, Predicate::FCMP_OGT},
    {"hs", Predicate::ICMP_UGE, Predicate::ICMP_UGE, Predicate::FCMP_OGE},
    {"equ", Predicate::ICMP_EQ, Predicate::ICMP_EQ, Predicate::FCMP_UEQ},
    {"neu", Predicate::ICMP_NE, Predicate::ICMP_NE, Predicate::FCMP_UNE},
    {"ltu", Predicate::ICMP_SLT, Predicate::ICMP_ULT, Predicate::FCMP_ULT},
    {"leu", Predicate::ICMP_SLE, Predicate::ICMP_ULE, Predicate::FCMP_ULE},
    {"gtu", Predicate::ICMP_SGT, Predicate::ICMP_UGT, Predicate::FCMP_UGT},
    {"geu", Predicate::ICMP_SGE, Predicate::ICMP_UGE, Predicate::FCMP_UGE},
    {"num", Predicate::ICMP_EQ, Predicate::ICMP_EQ, Predicate::FCMP_ORD},
    {"nan", Predicate::ICMP_EQ, Predicate::ICMP_EQ, Predicate::FCMP_UNO},
});

llvm::Value* compared(Emitter& e, const Form& form, std::size_t first, ptx::Type type) {
  for (const Comparison& comparison : kComparisons) {
    if (form.instruction().modifiers.empty() || !form.has(comparison.name)) continue;
    if (is_float(type))
      return e.ir().CreateFCmp(comparison.of_float, float_operand(e, form, first, type),
                               float_operand(e, form, first + 1, type));
    return e.ir().CreateICmp(is_signed(type) ? comparison.of_signed : comparison.of_unsigned,
                             e.read(form, first, type), e.read(form, first + 1, type));
  }
  form.refuse("compares in an unknown way");
}

/// With a predicate that the instruction brings along, by `.and`, `.or` or `.xor`.
llvm::Value* combined(Emitter& e, const Form& form, llvm::Value* result, std::size_t n) {
  if (form.operand_count() <= n) return result;
  auto& ir = e.ir();
  llvm::Value* other = e.read_predicate(form.operand(n));
  if (result->getType()->isVectorTy()) other = ir.CreateVectorSplat(2, other);
  if (form.has("and")) return ir.CreateAnd(result, other);
  if (form.has("or")) return ir.CreateOr(result, other);
  return ir.CreateXor(result, other);
}

}  // namespace

void emit_setp(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  llvm::Value* holds = compared(e, form, 1, form.type());
  const ptx::Operand& results = form.operand(0);
  const bool two = results.is(ptx::Operand::Kind::kVector) && results.parts.size() == 2;
  if (holds->getType()->isVectorTy()) {  // `p|q` of the two halves
    holds = combined(e, form, holds, 3);
    if (!two) form.refuse("gives two results");
    e.write(results.parts[0], ir.CreateExtractElement(holds, std::uint64_t{0}));
    e.write(results.parts[1], ir.CreateExtractElement(holds, std::uint64_t{1}));
    return;
  }
  if (two) {
    llvm::Value* not_so = combined(e, form, ir.CreateNot(holds), 3);
    e.write(results.parts[0], combined(e, form, holds, 3));
    e.write(results.parts[1], not_so);
    return;
  }
  e.write(results, combined(e, form, holds, 3));
}

/// All ones, or 1.0.
void emit_set(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  const ptx::Type type = form.type(0);
  llvm::Value* holds = combined(e, form, compared(e, form, 1, form.type(1)), 3);
  llvm::Type* lane = is_float(type) ? e.floating(type) : e.integer(type.bits);
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(holds->getType()))
    lane = llvm::FixedVectorType::get(type.lanes == 2 || is_float(type) ? lane : e.integer(16),
                                      vector->getNumElements());
  if (!is_float(type)) return e.write(form.operand(0), ir.CreateSExt(holds, lane));
  e.write(form.operand(0), ir.CreateSelect(holds, llvm::ConstantFP::get(lane, 1.0),
                                           llvm::Constant::getNullValue(lane)));
}

void emit_selp(Emitter& e, const Form& form) {
  const ptx::Type type = form.type();
  llvm::Value* a = e.read(form, 1, type);
  llvm::Value* b = e.read(form, 2, type);
  e.write(form.operand(0), e.ir().CreateSelect(e.read_predicate(form.operand(3)), a, b));
}

/// By the sign of the third.
void emit_slct(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  const ptx::Type by = form.type(1);
  llvm::Value* a = e.read(form, 1, form.type(0));
  llvm::Value* b = e.read(form, 2, form.type(0));
  llvm::Value* first = nullptr;
  if (is_float(by)) {
    llvm::Value* sign = float_operand(e, form, 3, by);
    first = ir.CreateFCmpOGE(sign, e.constant_like(sign, 0.0));
  } else {
    first = ir.CreateICmpSGE(e.read(form, 3, by), e.constant(by.bits, 0));
  }
  e.write(form.operand(0), ir.CreateSelect(first, a, b));
}

}  // namespace xfer::kernels
