// Barriers, and exchange of values between the lanes of a warp.

#include <llvm/IR/Constants.h>

#include "kernels/frame.h"
#include "kernels/translate/instructions.h"

namespace xfer::kernels {
namespace {

using ptx::Operand;

llvm::Value* word(Emitter& e, const Form& form, std::size_t n) {
  return e.read(form.operand(n), 32);
}

/// A word in memory that a service fills.
llvm::AllocaInst* answer(Emitter& e) { return e.scratch(e.integer(32)); }

/// As above, where somebody wants it; else null.
llvm::Value* answer_for(Emitter& e, const Operand& wants) {
  if (wants.is(Operand::Kind::kNothing)) return llvm::ConstantPointerNull::get(e.ir().getPtrTy());
  return answer(e);
}

llvm::Value* loaded(Emitter& e, llvm::Value* place) {
  return e.ir().CreateLoad(e.integer(32), place);
}

/// Into the operand, if it wants it.
void write_answer(Emitter& e, const Operand& operand, llvm::Value* place) {
  if (operand.is(Operand::Kind::kNothing)) return;
  e.write(operand, e.ir().CreateICmpNE(loaded(e, place), e.constant(32, 0)));
}

llvm::Value* holds(Emitter& e, llvm::Value* value) {
  return e.ir().CreateICmpNE(value, e.constant(32, 0));
}

llvm::Value* code(Emitter& e, auto value) {
  return e.constant(32, static_cast<std::uint32_t>(value));
}

/// `d|p`: a result and a predicate; most leave the second out.
std::pair<Operand, Operand> results_of(const Form& form) {
  const Operand& all = form.operand(0);
  if (all.is(Operand::Kind::kVector) && all.parts.size() == 2) return {all.parts[0], all.parts[1]};
  return {all, Operand{}};
}

void emit_bar_red(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  // `bar.red.or.pred p, a{, b}, c`
  const std::size_t last = form.operand_count() - 1;
  llvm::Value* count = last == 3 ? word(e, form, 2) : e.constant(32, 0);
  llvm::Value* predicate = e.read_predicate(form.operand(last));
  llvm::AllocaInst* arrived = answer(e);
  llvm::Value* holding =
      e.waiting_service(offsetof(Services, barrier_count), e.integer(32),
                        {word(e, form, 1), count, e.resized(predicate, 32), arrived});
  if (form.has("popc")) return e.write(form.operand(0), holding);
  if (form.has("and"))
    return e.write(form.operand(0), ir.CreateICmpEQ(holding, loaded(e, arrived)));
  e.write(form.operand(0), holds(e, holding));
}

}  // namespace

void emit_bar(Emitter& e, const Form& form) {
  llvm::Type* nothing = e.ir().getVoidTy();
  if (form.has("warp")) {
    e.waiting_service(offsetof(Services, warp_barrier), nothing, {word(e, form, 0)});
  } else if (form.has("cluster")) {
    // A block is a cluster of its own: both halves of the barrier are met by its threads.
    if (!form.has("arrive"))
      e.waiting_service(offsetof(Services, barrier), nothing,
                        {e.constant(32, 0), e.constant(32, 0)});
  } else if (form.has("red")) {
    emit_bar_red(e, form);
  } else {
    llvm::Value* id = form.operand_count() > 0 ? word(e, form, 0) : e.constant(32, 0);
    llvm::Value* count = form.operand_count() > 1 ? word(e, form, 1) : e.constant(32, 0);
    e.waiting_service(form.has("arrive") ? offsetof(Services, arrive) : offsetof(Services, barrier),
                      nothing, {id, count});
  }
}

void emit_shfl(Emitter& e, const Form& form) {
  if (!form.has("sync")) form.refuse("without .sync cannot be run");
  const Shuffle how = form.has("up")     ? Shuffle::kUp
                      : form.has("down") ? Shuffle::kDown
                      : form.has("bfly") ? Shuffle::kButterfly
                                         : Shuffle::kIndex;
  const auto [result, predicate] = results_of(form);
  llvm::Value* in_range = answer_for(e, predicate);
  llvm::Value* value = e.waiting_service(offsetof(Services, shuffle), e.integer(32),
                                         {word(e, form, 4), code(e, how), word(e, form, 1),
                                          word(e, form, 2), word(e, form, 3), in_range});
  e.write(result, value);
  write_answer(e, predicate, in_range);
}

void emit_vote(Emitter& e, const Form& form) {
  if (!form.has("sync")) form.refuse("without .sync cannot be run");
  const Vote how = form.has("ballot") ? Vote::kBallot
                   : form.has("any")  ? Vote::kAny
                   : form.has("all")  ? Vote::kAll
                                      : Vote::kUniform;
  llvm::Value* result = e.waiting_service(
      offsetof(Services, vote), e.integer(32),
      {word(e, form, 2), code(e, how), e.resized(e.read_predicate(form.operand(1)), 32)});
  e.write(form.operand(0), how == Vote::kBallot ? result : holds(e, result));
}

void emit_match(Emitter& e, const Form& form) {
  const auto [result, predicate] = results_of(form);
  llvm::Value* equal = answer_for(e, predicate);
  llvm::Value* value = e.resized(e.read(form, 1, form.type()), 64);
  llvm::Value* lanes =
      e.waiting_service(offsetof(Services, match), e.integer(32),
                        {word(e, form, 2), value, e.constant(32, form.has("all")), equal});
  e.write(result, lanes);
  write_answer(e, predicate, equal);
}

void emit_redux(Emitter& e, const Form& form) {
  if (is_float(form.type())) form.refuse("cannot be run");
  const bool sign = is_signed(form.type());
  const Reduce how = form.has("add")   ? Reduce::kAdd
                     : form.has("min") ? (sign ? Reduce::kMinSigned : Reduce::kMin)
                     : form.has("max") ? (sign ? Reduce::kMaxSigned : Reduce::kMax)
                     : form.has("and") ? Reduce::kAnd
                     : form.has("or")  ? Reduce::kOr
                                       : Reduce::kXor;
  e.write(form.operand(0), e.waiting_service(offsetof(Services, reduce), e.integer(32),
                                             {word(e, form, 2), code(e, how), word(e, form, 1)}));
}

void emit_activemask(Emitter& e, const Form& form) {
  e.write(form.operand(0), e.waiting_service(offsetof(Services, active_mask), e.integer(32),
                                             {e.constant(32, form.instruction().line)}));
}

/// One lane of the mask, the lowest, and whether it is this one.
void emit_elect(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  llvm::Value* met =
      e.waiting_service(offsetof(Services, vote), e.integer(32),
                        {word(e, form, 1), code(e, Vote::kBallot), e.constant(32, 1)});
  llvm::Value* lowest = ir.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, met, ir.getFalse());
  const auto [result, predicate] = results_of(form);
  Operand lane;
  lane.kind = Operand::Kind::kSpecial;
  lane.name = "%laneid";
  e.write(result, lowest);
  e.write(predicate, ir.CreateICmpEQ(lowest, e.read(lane, 32)));
}

}  // namespace xfer::kernels
