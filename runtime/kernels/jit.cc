#include "kernels/jit.h"

#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <mutex>
#include <utility>

#include "kernels/passes.h"
#include "kernels/support.h"

namespace xfer::kernels {
namespace {

void set_target(llvm::Module& module, const llvm::TargetMachine& machine) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.setDoesNotThrow();
  }
}

}  // namespace

struct Jit::Parts {
  std::mutex mutex;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::TargetMachine> beside;  ///< of object()
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::string wrong;  ///< why there is none
};

Jit& Jit::instance() {
  static auto* const jit = new Jit;
  return *jit;
}

Jit::Jit() : parts_(std::make_unique<Parts>()) { start(); }

void Jit::start() {
  namespace orc = llvm::orc;
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  const auto fail = [&](llvm::Error error) { parts_->wrong = llvm::toString(std::move(error)); };
  auto builder = orc::JITTargetMachineBuilder::detectHost();
  if (!builder) return fail(builder.takeError());
  auto machine = builder->createTargetMachine();
  if (!machine) return fail(machine.takeError());
  // Of the settings that the JIT comes to, another compiler makes objects beside it.
  const auto compiler = [&](orc::JITTargetMachineBuilder settings)
      -> llvm::Expected<std::unique_ptr<orc::IRCompileLayer::IRCompiler>> {
    auto its_own = settings.createTargetMachine();
    if (!its_own) return its_own.takeError();
    auto beside = settings.createTargetMachine();
    if (!beside) return beside.takeError();
    parts_->beside = std::move(*beside);
    return std::make_unique<orc::TMOwningSimpleCompiler>(std::move(*its_own));
  };
  auto jit = orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*builder))
                 .setCompileFunctionCreator(compiler)
                 .create();
  if (!jit) return fail(jit.takeError());
  orc::SymbolMap symbols;
  for (const SupportFunction& function : support_functions())
    symbols[(*jit)->mangleAndIntern(llvm::StringRef(function.name))] = {
        orc::ExecutorAddr::fromPtr(function.address), llvm::JITSymbolFlags::Exported};
  if (auto error = (*jit)->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))))
    return fail(std::move(error));
  parts_->machine = std::move(*machine);
  parts_->jit = std::move(*jit);
}

std::unique_ptr<llvm::Module> Jit::module(llvm::LLVMContext& context, const std::string& name) {
  auto module = std::make_unique<llvm::Module>(name, context);
  if (parts_->jit) {
    module->setDataLayout(parts_->jit->getDataLayout());
    module->setTargetTriple(parts_->jit->getTargetTriple());
  }
  return module;
}

void Jit::optimise(llvm::Module& module, Effort effort) {
  set_target(module, *parts_->machine);
  run_passes(module, parts_->machine.get(), [&](llvm::PassBuilder& builder) {
    return builder.buildPerModuleDefaultPipeline(
        effort == Effort::kFull ? llvm::OptimizationLevel::O2 : llvm::OptimizationLevel::O1);
  });
}

std::string Jit::object(llvm::Module& module, Effort effort) {
  const std::lock_guard lock(parts_->mutex);
  if (!parts_->jit || llvm::verifyModule(module)) return {};
  optimise(module, effort);
  auto buffer = llvm::orc::SimpleCompiler(*parts_->beside)(module);
  if (buffer) return (*buffer)->getBuffer().str();
  llvm::consumeError(buffer.takeError());
  return {};
}

void* Jit::compile(std::unique_ptr<llvm::Module> module, std::unique_ptr<llvm::LLVMContext> context,
                   const std::string& function, Effort effort, std::string* why) {
  // Of the two parameters the context might go first, whatever the order they are in.
  std::unique_ptr<llvm::LLVMContext> owned_context = std::move(context);
  std::unique_ptr<llvm::Module> owned = std::move(module);
  const std::lock_guard lock(parts_->mutex);
  if (!parts_->jit) {
    *why = parts_->wrong;
    return nullptr;
  }
  std::string wrong;
  llvm::raw_string_ostream stream(wrong);
  if (llvm::verifyModule(*owned, &stream)) {
    *why = "it became code that is not valid: " + wrong.substr(0, wrong.find('\n'));
    return nullptr;
  }
  optimise(*owned, effort);
  if (auto error = parts_->jit->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(owned), std::move(owned_context)))) {
    *why = llvm::toString(std::move(error));
    return nullptr;
  }
  auto found = parts_->jit->lookup(function);
  if (!found) {
    *why = llvm::toString(found.takeError());
    return nullptr;
  }
  return found->toPtr<void*>();
}

}  // namespace xfer::kernels
