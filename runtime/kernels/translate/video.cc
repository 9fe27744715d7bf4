// Video instructions: of words, bytes and halves that their operands select, computed without loss,
// then saturated, and merged into a third operand or combined with it.

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include <functional>

#include "kernels/translate/instructions.h"

namespace xfer::kernels {
namespace {

/// Everything fits in as many bits but what vmad gives.
constexpr unsigned kWide = 64;
constexpr unsigned kWord = 32;

/// Of a word.
struct Part {
  unsigned from = 0, bits = kWord;

  std::uint64_t ones() const { return ~std::uint64_t{0} >> (64 - bits); }
};

/// An operation on two values of kWide bits.
using Compute = std::function<llvm::Value*(llvm::Value*, llvm::Value*)>;

/// The register itself, whatever part of it is meant.
ptx::Operand whole(ptx::Operand operand) {
  operand.part = {};
  operand.negated = false;
  return operand;
}

llvm::Value* whole_word(Emitter& e, const Form& form, std::size_t n) {
  return e.read(whole(form.operand(n)), kWord);
}

llvm::Value* extracted(Emitter& e, llvm::Value* word, Part part, bool sign) {
  llvm::Value* shifted = e.ir().CreateLShr(word, e.constant(kWord, part.from));
  return e.resized(e.resized(shifted, part.bits), kWide, sign);
}

/// The n-th of the types, which are words.
ptx::Type word_type(const Form& form, std::size_t n) {
  const ptx::Type type = form.type(n);
  const bool integer =
      type.kind == ptx::Type::Kind::kSigned || type.kind == ptx::Type::Kind::kUnsigned;
  if (!integer || type.bits != kWord || type.lanes != 1)
    form.refuse("has types that PTX does not have");
  return type;
}

/// `vset` says no type of its result, which is 0 or 1.
bool is_set(const Form& form) { return form.instruction().operation.starts_with("vset"); }
bool has_signed_result(const Form& form) { return !is_set(form) && is_signed(word_type(form, 0)); }
bool has_signed_operand(const Form& form, std::size_t n) {
  return is_signed(word_type(form, is_set(form) ? n - 1 : n));
}

/// Signed, as all that is computed is.
llvm::Value* least(Emitter& e, llvm::Value* a, llvm::Value* b) {
  return e.ir().CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
}
llvm::Value* greatest(Emitter& e, llvm::Value* a, llvm::Value* b) {
  return e.ir().CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
}

llvm::Value* saturated(Emitter& e, llvm::Value* value, unsigned bits, bool sign) {
  const std::uint64_t most = (std::uint64_t{1} << (sign ? bits - 1 : bits)) - 1;
  const unsigned width = value->getType()->getIntegerBitWidth();
  llvm::Value* low = sign ? e.ir().CreateNot(e.constant(width, most)) : e.constant(width, 0);
  return greatest(e, least(e, value, e.constant(width, most)), low);
}

llvm::Value* compared(Emitter& e, const Form& form, llvm::Value* a, llvm::Value* b) {
  using Predicate = llvm::CmpInst::Predicate;
  constexpr std::pair<std::string_view, Predicate> kComparisons[] = {
      {"eq", Predicate::ICMP_EQ},  {"ne", Predicate::ICMP_NE},  {"lt", Predicate::ICMP_SLT},
      {"le", Predicate::ICMP_SLE}, {"gt", Predicate::ICMP_SGT}, {"ge", Predicate::ICMP_SGE}};
  for (const auto& [name, predicate] : kComparisons)
    if (form.has(name)) return e.resized(e.ir().CreateICmp(predicate, a, b), kWide);
  form.refuse("lacks a comparison");
}

llvm::Value* average(Emitter& e, llvm::Value* a, llvm::Value* b) {
  auto& ir = e.ir();
  llvm::Value* sum = ir.CreateAdd(a, b);
  llvm::Value* up = e.resized(ir.CreateICmpSGE(sum, e.constant(kWide, 0)), kWide);
  return ir.CreateAShr(ir.CreateAdd(sum, up), e.constant(kWide, 1));
}

/// `vadd`, `vadd2` and `vadd4` compute the same.
Compute compute_of(Emitter& e, const Form& form) {
  std::string_view name = form.instruction().operation;
  if (name.ends_with('2') || name.ends_with('4')) name.remove_suffix(1);
  return [&e, &form, name](llvm::Value* a, llvm::Value* b) -> llvm::Value* {
    auto& ir = e.ir();
    if (name == "vadd") return ir.CreateAdd(a, b);
    if (name == "vsub") return ir.CreateSub(a, b);
    if (name == "vavrg") return average(e, a, b);
    if (name == "vmin") return least(e, a, b);
    if (name == "vmax") return greatest(e, a, b);
    if (name == "vset") return compared(e, form, a, b);
    return ir.CreateBinaryIntrinsic(llvm::Intrinsic::abs, ir.CreateSub(a, b), ir.getFalse());
  };
}

/// `.b2` and `.h1` of a register; nothing is all of it.
Part part_of(const Form& form, std::size_t n) {
  const std::string_view text = form.operand(n).part;
  if (text.empty()) return {};
  const unsigned bits = text[0] == 'b' ? 8 : 16;
  const auto number = static_cast<unsigned>(text[1] - '0');
  if (text.size() != 2 || number >= kWord / bits) form.refuse("selects what a word has not");
  return {number * bits, bits};
}

void emit_scalar(Emitter& e, const Form& form, const Compute& compute) {
  auto& ir = e.ir();
  const auto operand = [&](std::size_t n) {
    return extracted(e, whole_word(e, form, n), part_of(form, n), has_signed_operand(form, n));
  };
  const bool sign = has_signed_result(form);
  const Part to = part_of(form, 0);
  llvm::Value* value = compute(operand(1), operand(2));
  if (form.has("sat")) value = saturated(e, value, to.bits, sign);
  const auto third = [&] { return extracted(e, whole_word(e, form, 3), {}, sign); };
  if (form.has("add")) {
    value = ir.CreateAdd(value, third());
  } else if (form.has("min")) {
    value = least(e, value, third());
  } else if (form.has("max")) {
    value = greatest(e, value, third());
  } else if (to.bits != kWord) {
    llvm::Value* own = ir.CreateAnd(value, e.constant(kWide, to.ones()));
    llvm::Value* kept = ir.CreateAnd(third(), e.constant(kWide, ~(to.ones() << to.from)));
    value = ir.CreateOr(ir.CreateShl(own, e.constant(kWide, to.from)), kept);
  }
  e.write(whole(form.operand(0)), e.resized(value, kWord));
}

/// Which parts of (b, a), for each lane of a result; the text has the highest first.
std::vector<unsigned> selection(const Form& form, std::size_t n, unsigned lanes) {
  std::string_view text = form.operand(n).part;
  std::vector<unsigned> parts;
  if (text.empty()) {
    for (unsigned lane = 0; lane < lanes; ++lane) parts.push_back(lane + (n == 2 ? lanes : 0));
    return parts;
  }
  if (text[0] != (lanes == 2 ? 'h' : 'b')) form.refuse("selects other parts than it has");
  for (text.remove_prefix(1); !text.empty(); text.remove_suffix(1))
    parts.push_back(static_cast<unsigned>(text.back() - '0'));
  for (const unsigned part : parts)
    if (part >= (n == 0 ? lanes : 2 * lanes)) form.refuse("selects what a word has not");
  if (n != 0 && parts.size() != lanes) form.refuse("selects other parts than it has");
  return parts;
}

void emit_lanes(Emitter& e, const Form& form, unsigned lanes) {
  auto& ir = e.ir();
  const unsigned bits = kWord / lanes;
  const auto place = [&](unsigned lane) { return Part{lane % lanes * bits, bits}; };
  llvm::Value* const words[] = {whole_word(e, form, 1), whole_word(e, form, 2)};
  const auto from = [&](std::size_t n, unsigned part) {
    return extracted(e, words[part / lanes], place(part), has_signed_operand(form, n));
  };
  const std::vector<unsigned> first = selection(form, 1, lanes);
  const std::vector<unsigned> second = selection(form, 2, lanes);
  const Compute compute = compute_of(e, form);
  llvm::Value* result = extracted(e, whole_word(e, form, 3), {}, false);
  for (const unsigned lane : selection(form, 0, lanes)) {
    llvm::Value* value = compute(from(1, first[lane]), from(2, second[lane]));
    if (form.has("sat")) value = saturated(e, value, bits, has_signed_result(form));
    if (form.has("add")) {
      result = ir.CreateAdd(result, value);
      continue;
    }
    const Part to = place(lane);
    value = ir.CreateAnd(value, e.constant(kWide, to.ones()));
    result = ir.CreateOr(ir.CreateAnd(result, e.constant(kWide, ~(to.ones() << to.from))),
                         ir.CreateShl(value, e.constant(kWide, to.from)));
  }
  e.write(whole(form.operand(0)), e.resized(result, kWord));
}

}  // namespace

void emit_video(Emitter& e, const Form& form) { emit_scalar(e, form, compute_of(e, form)); }
void emit_video2(Emitter& e, const Form& form) { emit_lanes(e, form, 2); }
void emit_video4(Emitter& e, const Form& form) { emit_lanes(e, form, 4); }

void emit_video_shift(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  const bool left = form.instruction().operation == "vshl";
  emit_scalar(e, form, [&](llvm::Value* value, llvm::Value* by) {
    by = form.has("wrap") ? ir.CreateAnd(by, e.constant(kWide, 31))
                          : least(e, by, e.constant(kWide, kWord));
    if (!left) return ir.CreateAShr(value, by);
    if (!form.has("sat")) return ir.CreateShl(value, by);
    // In two steps: what is out of reach stays there, and no bit is lost.
    llvm::Value* half = least(e, by, e.constant(kWide, kWord / 2));
    value = saturated(e, ir.CreateShl(value, half), kWord + 8, true);
    return ir.CreateShl(value, ir.CreateSub(by, half));
  });
}

/// a * b + c, of which the signs and one more make it up to 66 bits long.
void emit_vmad(Emitter& e, const Form& form) {
  constexpr unsigned kLonger = 128;
  auto& ir = e.ir();
  const auto negated = [&](std::size_t n) { return form.operand(n).negated; };
  const bool minus = negated(1) != negated(2);
  const bool sign =
      has_signed_operand(form, 1) || has_signed_operand(form, 2) || minus || negated(3);
  const auto factor = [&](std::size_t n) {
    llvm::Value* value =
        extracted(e, whole_word(e, form, n), part_of(form, n), has_signed_operand(form, n));
    return e.resized(value, kLonger, true);
  };
  llvm::Value* product = ir.CreateMul(factor(1), factor(2));
  llvm::Value* more = whole_word(e, form, 3);
  bool one_more = form.has("po");
  if (!one_more && minus) {
    product = ir.CreateNot(product);
    one_more = true;
  } else if (!one_more && negated(3)) {
    more = ir.CreateNot(more);
    one_more = true;
  }
  llvm::Value* sum = ir.CreateAdd(product, e.resized(more, kLonger, sign));
  if (one_more) sum = ir.CreateAdd(sum, e.constant(kLonger, 1));
  const unsigned by = form.has("shr7") ? 7 : form.has("shr15") ? 15 : 0;
  sum = ir.CreateAShr(sum, e.constant(kLonger, by));
  if (form.has("sat")) sum = saturated(e, sum, kWord, sign);
  e.write(whole(form.operand(0)), e.resized(sum, kWord));
}

}  // namespace xfer::kernels
