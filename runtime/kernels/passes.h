#pragma once
// Runs passes of LLVM over a module.

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

namespace xfer::kernels {

/// Those that `choose` makes. The machine tells passes of the CPU; null: they know none.
void run_passes(llvm::Module& module, llvm::TargetMachine* machine,
                llvm::function_ref<llvm::ModulePassManager(llvm::PassBuilder&)> choose);

}  // namespace xfer::kernels
