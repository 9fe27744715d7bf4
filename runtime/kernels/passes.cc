#include "kernels/passes.h"

#include <llvm/Passes/StandardInstrumentations.h>

namespace xfer::kernels {

void run_passes(llvm::Module& module, llvm::TargetMachine* machine,
                llvm::function_ref<llvm::ModulePassManager(llvm::PassBuilder&)> choose) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager groups;
  llvm::ModuleAnalysisManager modules;
  // Of a thread there is little to vectorise, and a warp is vectors already.
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  // Functions that are to stay as they are do so.
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::OptNoneInstrumentation as_it_is(false);
  as_it_is.registerCallbacks(callbacks);
  llvm::PassBuilder builder(machine, tuning, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(groups);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, groups, modules);
  choose(builder).run(module, modules);
}

}  // namespace xfer::kernels
