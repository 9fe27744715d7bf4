#pragma once
// Warps that go on as threads. Lanes in step cannot wait for each other: one that waits in a loop
// keeps those that have left it from doing what it waits for. So a function of a warp whose lanes
// may wait writes down, when it is told to leave, where each lane is and what it knows; and a
// function of a thread goes on from there.

#include <llvm/IR/Function.h>

#include <optional>
#include <string>

#include "kernels/warp/kept.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels {

/// A warp may have to wait for others at the instruction, a barrier or a turn of a loop.
bool waits_at(const llvm::Instruction& instruction);
/// Threads wait for others in its loops.
bool has_turns(const llvm::Function& thread);

/// Where it waits becomes the beginning of a block. Of a function that is prepared for widen().
void split_at_waits(llvm::Function& thread);

/// Why a function that waits cannot go on as threads; nothing: it can.
std::optional<std::string> wrong_for_resumption(const llvm::Function& thread);

/// A function of that name in the same module, for a thread and the WarpState of its warp: a
/// kernels::GoOn. The function is one that split_at_waits() has been through.
void write_resumption(llvm::Function& thread, const Kept& kept, llvm::Function& target,
                      WarpShape shape);

}  // namespace xfer::kernels
