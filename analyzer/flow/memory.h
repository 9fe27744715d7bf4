#pragma once
// Memory that is followed by its pointers: what allocates it, copies it, and what the host, kernels
// and functions without a body may do to it.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

Value apply(Step& step, const fact::Access& access);
Value apply(Step& step, const fact::KeepPointer& kept);

Value allocate(Step& step, const Call& call);
/// A callee allocated it, of which the call's summary tells.
void note_allocated(Step& step, const Call& call, const Allocated& told, ObjectId memory);
void copy_memory(Step& step, const Call& call);
/// A kernel may read any memory that it is given a pointer to, and write to it unless the pointer
/// says otherwise.
void launch(Step& step, const Call& call);
/// Of a row for a function that computes: cudaMemset, cudaHostRegister.
void use_memory(Step& step, const Call& call);
/// A function in C of the system or the CUDA toolkit changes what it is given, and nothing else.
Value apply_system(Step& step, const Call& call);
/// Code may have written to the memory that the parts of the whole point to.
void write_behind(Step& step, ObjectId whole);
/// Applies what a function without a body here may do to memory that it is given a pointer to.
void hand_over_memory(Step& step, const Call& call, const Operand& operand);

}  // namespace xfer::analyzer
