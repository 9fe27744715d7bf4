// mbarrier: barriers that are objects in shared memory. support.h says how they look.

#include <llvm/IR/Constants.h>

#include "kernels/frame.h"
#include "kernels/translate/instructions.h"

namespace xfer::kernels {
namespace {

/// The count that an instruction brings, or 1.
llvm::Value* count_of(Emitter& e, const Form& form, std::size_t n) {
  return form.operand_count() > n ? e.read(form.operand(n), 32) : e.constant(32, 1);
}

void emit_arrive(Emitter& e, const Form& form) {
  // `mbarrier.arrive.b64 state, [at]{, count}`, `mbarrier.arrive.expect_tx.b64 state, [at], bytes`
  const bool expects = form.has("expect_tx");
  llvm::Value* at = e.pointer_of(form, 1);
  if (expects)
    e.call("xfer_mbarrier_expect", e.ir().getVoidTy(), {at, e.read(form.operand(2), 32)});
  llvm::Value* count = expects ? e.constant(32, 1) : count_of(e, form, 2);
  e.write(form.operand(0), e.call("xfer_mbarrier_arrive", e.integer(64),
                                  {at, count, e.constant(32, form.has("arrive_drop"))}));
}

void emit_wait(Emitter& e, const Form& form) {
  // `mbarrier.test_wait.b64 p, [at], state`, `.parity`: the lowest bit of a phase's number
  llvm::Value* at = e.pointer_of(form, 1);
  llvm::Value* done = nullptr;
  if (form.has("parity"))
    done = e.call("xfer_mbarrier_passed_parity", e.integer(32), {at, e.read(form.operand(2), 32)});
  else
    done = e.call("xfer_mbarrier_passed", e.integer(32), {at, e.read(form.operand(2), 64)});
  e.write(form.operand(0), e.ir().CreateICmpNE(done, e.constant(32, 0)));
}

}  // namespace

void emit_mbarrier(Emitter& e, const Form& form) {
  llvm::Type* nothing = e.ir().getVoidTy();
  if (form.has("shared::cluster") && !form.has("shared::cta")) form.refuse("cannot be run");
  if (form.has("init")) {
    e.call("xfer_mbarrier_init", nothing, {e.pointer_of(form, 0), e.read(form.operand(1), 32)});
  } else if (form.has("inval")) {
    // Nothing says that it is one any more.
  } else if (form.has("arrive") || form.has("arrive_drop")) {
    emit_arrive(e, form);
  } else if (form.has("test_wait") || form.has("try_wait")) {
    emit_wait(e, form);
  } else if (form.has("pending_count")) {
    e.write(form.operand(0),
            e.call("xfer_mbarrier_pending", e.integer(32), {e.read(form.operand(1), 64)}));
  } else if (form.has("expect_tx")) {
    e.call("xfer_mbarrier_expect", nothing, {e.pointer_of(form, 0), e.read(form.operand(1), 32)});
  } else if (form.has("complete_tx")) {
    e.call("xfer_mbarrier_complete", nothing, {e.pointer_of(form, 0), e.read(form.operand(1), 32)});
  } else {
    form.refuse("cannot be run");
  }
}

}  // namespace xfer::kernels
