// Values and addresses from here to there.

#include <llvm/IR/Constants.h>

#include "kernels/frame.h"
#include "kernels/translate/instructions.h"

namespace xfer::kernels {
namespace {

llvm::Value* shared_base(Emitter& e) {
  return e.ir().CreatePtrToInt(e.block_field(e.ir().getPtrTy(), offsetof(Block, shared)),
                               e.integer(64));
}

}  // namespace

void emit_mov(Emitter& e, const Form& form) {
  const ptx::Type type = form.type();
  const ptx::Operand& to = form.operand(0);
  // A value of its parts, `{%r1, %r2}`, has more bits than they have.
  e.write(to, e.read(form.operand(1), unsigned{type.bits} * type.lanes));
}

/// Addresses of all spaces but the shared one are the same in the generic space.
void emit_cvta(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  const unsigned bits = form.type().bits;
  llvm::Value* value = e.read(form.operand(1), 64);
  if (form.space() == "shared")
    value = form.has("to") ? ir.CreateSub(value, shared_base(e))
                           : ir.CreateAdd(e.resized(e.resized(value, 32), 64), shared_base(e));
  e.write(form.operand(0), e.resized(value, bits));
}

void emit_isspacep(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  const std::string_view space = form.space();
  llvm::Value* value = e.read(form.operand(1), 64);
  llvm::Value* in_shared =
      ir.CreateICmpULT(ir.CreateSub(value, shared_base(e)),
                       e.resized(e.block_field(e.integer(32), offsetof(Block, shared_bytes)), 64));
  if (space == "shared") return e.write(form.operand(0), in_shared);
  if (space == "const" || space == "param") return e.write(form.operand(0), ir.getFalse());
  llvm::Value* in_local = e.waiting_service(offsetof(Services, is_local), e.integer(32), {value});
  llvm::Value* local = ir.CreateICmpNE(in_local, e.constant(32, 0));
  if (space == "local") return e.write(form.operand(0), local);
  e.write(form.operand(0), ir.CreateNot(ir.CreateOr(in_shared, local)));
}

}  // namespace xfer::kernels
