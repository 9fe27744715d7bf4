#pragma once
// Functions that instructions on floats share.

#include "kernels/translate/emitter.h"

namespace xfer::kernels {

/// bf16 is computed in f32: of its own instructions, CPUs that have them flush subnormal numbers.

/// The operand, 0 where it is subnormal and `.ftz` says so. A bf16 comes as an f32.
llvm::Value* float_operand(Emitter& e, const Form& form, std::size_t n, ptx::Type type);
/// Where a NaN has no bits but the lowest so many, an infinity, as devices see it that look at the
/// others alone; another NaN without them.
llvm::Value* nan_without(Emitter& e, unsigned lowest, llvm::Value* value);
/// Writes it as `.ftz`, `.sat` and `.relu` say. Where the first type is bf16, it is rounded to it.
void write_float(Emitter& e, const Form& form, llvm::Value* value);
/// A bf16, or a pair, as f32.
llvm::Value* from_brain(Emitter& e, llvm::Value* value);
/// An f32 or f64, or a pair, rounded to the nearest bf16.
llvm::Value* to_brain(Emitter& e, llvm::Value* value);
/// The value, or a pair, in a wider type.
llvm::Value* widened(Emitter& e, llvm::Value* value, llvm::Type* type);
/// `whole` where the rest is 0; else of the two numbers around whole + rest the odd one, which
/// another rounding does not take for a tie.
llvm::Value* odd_where(Emitter& e, llvm::Value* whole, llvm::Value* rest);
/// 0: to the nearest; else what the functions of support.h take.
unsigned rounding_of(const Form& form);
/// The type, in as many lanes as the value has.
llvm::Type* in_lanes_of(llvm::Value* value, llvm::Type* type);
/// The sum of two f64, or pairs; of the two around it the odd one where it is neither.
llvm::Value* odd_sum(Emitter& e, llvm::Value* a, llvm::Value* b);
/// An f64 or the sum of two (null: none), or pairs, as f32, rounded in that direction.
llvm::Value* directed(Emitter& e, unsigned how, llvm::Value* a, llvm::Value* b);
/// By a function of support.h: `add` is `xfer_add_f32` or `xfer_add_f64`.
llvm::Value* rounded(Emitter& e, const Form& form, const char* name,
                     std::vector<llvm::Value*> arguments);

}  // namespace xfer::kernels
