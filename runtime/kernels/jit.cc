#include "kernels/jit.h"

#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <mutex>
#include <optional>
#include <utility>

#include "kernels/passes.h"
#include "kernels/support.h"
#include "kernels/warp/lane_memory.h"

namespace xfer::kernels {
namespace {

/// The passes left for a warp, whose thread has been optimised: variables become values, unused
/// code goes, and a coroutine is split where it waits.
constexpr const char* kShortPipeline =
    "coro-early,always-inline,function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,"
    "instcombine<no-verify-fixpoint>,loop-mssa(licm),simplifycfg),cgscc(coro-split),coro-cleanup,"
    "function(early-cse<memssa>,instcombine<no-verify-fixpoint>,adce,simplifycfg),globaldce";

/// Passes whose cost is linear in the code's length.
constexpr const char* kLittlePipeline = "always-inline,function(sroa,early-cse,simplifycfg)";
constexpr unsigned kLong = 20'000;  // instructions

/// For as long as it is there, code is made quickly.
class InAHurry {
 public:
  explicit InAHurry(llvm::TargetMachine& machine)
      : machine_(machine), before_(machine.getOptLevel()) {
    machine_.setOptLevel(llvm::CodeGenOptLevel::None);
    machine_.setFastISel(true);
  }
  InAHurry(const InAHurry&) = delete;
  InAHurry& operator=(const InAHurry&) = delete;
  ~InAHurry() {
    machine_.setFastISel(false);
    machine_.setOptLevel(before_);
  }

 private:
  llvm::TargetMachine& machine_;
  const llvm::CodeGenOptLevel before_;
};

/// Of how many accesses to memory in a block the scheduler remembers what they depend on; beyond,
/// it takes each for dependent on all. LLVM's own 1000 take most of the time of long blocks.
void remember_few_accesses() {
  auto& options = llvm::cl::getRegisteredOptions();
  const auto limit = options.find("dag-maps-huge-region");
  if (limit != options.end()) static_cast<llvm::cl::opt<unsigned>*>(limit->second)->setValue(100);
}

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
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::string identity;
  std::string wrong;     ///< why there is none
  std::string reported;  ///< by the linking layer, last
  std::uint64_t linked = 0;
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
  remember_few_accesses();
  const auto fail = [&](llvm::Error error) { parts_->wrong = llvm::toString(std::move(error)); };
  auto builder = orc::JITTargetMachineBuilder::detectHost();
  if (!builder) return fail(builder.takeError());
  // The linking layer wants these two.
  builder->setRelocationModel(llvm::Reloc::PIC_);
  builder->setCodeModel(llvm::CodeModel::Small);
  // More costs a third of the time, and kernels do not run measurably faster.
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  auto machine = builder->createTargetMachine();
  if (!machine) return fail(machine.takeError());
  auto jit = orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(*builder)).create();
  if (!jit) return fail(jit.takeError());
  (*jit)->getExecutionSession().setErrorReporter(
      [this](llvm::Error error) { parts_->reported = llvm::toString(std::move(error)); });
  orc::SymbolMap symbols;
  for (const auto functions : {support_functions(), warp::lane_memory_functions()})
    for (const SupportFunction& function : functions)
      symbols[(*jit)->mangleAndIntern(llvm::StringRef(function.name))] = {
          orc::ExecutorAddr::fromPtr(function.address), llvm::JITSymbolFlags::Exported};
  if (auto error = (*jit)->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))))
    return fail(std::move(error));
  parts_->machine = std::move(*machine);
  parts_->jit = std::move(*jit);
  const llvm::TargetMachine& its = *parts_->machine;
  parts_->identity = (LLVM_VERSION_STRING " " + its.getTargetTriple().str() + " " +
                      its.getTargetCPU() + " " + its.getTargetFeatureString())
                         .str();
}

const std::string& Jit::identity() const { return parts_->identity; }

std::unique_ptr<llvm::Module> Jit::module(llvm::LLVMContext& context, const std::string& name) {
  context.setDiscardValueNames(true);  // they take time, and nobody reads them
  auto module = std::make_unique<llvm::Module>(name, context);
  if (parts_->jit) {
    module->setDataLayout(parts_->jit->getDataLayout());
    module->setTargetTriple(parts_->jit->getTargetTriple());
  }
  return module;
}

std::string Jit::compile(llvm::Module& module, Effort effort, std::string* why) {
  const std::lock_guard lock(parts_->mutex);
  if (!parts_->jit) {
    *why = parts_->wrong;
    return {};
  }
  std::string wrong;
  llvm::raw_string_ostream stream(wrong);
  if (llvm::verifyModule(module, &stream)) {
    *why = "it became code that is not valid: " + wrong.substr(0, wrong.find('\n'));
    return {};
  }
  set_target(module, *parts_->machine);
  std::optional<InAHurry> hurry;
  if (effort == Effort::kFull && module.getInstructionCount() > kLong)
    hurry.emplace(*parts_->machine);
  run_passes(module, parts_->machine.get(), [&](llvm::PassBuilder& builder) {
    if (effort == Effort::kFull && !hurry)
      return builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
    llvm::ModulePassManager passes;
    llvm::cantFail(builder.parsePassPipeline(passes, hurry ? kLittlePipeline : kShortPipeline));
    return passes;
  });
  auto object = llvm::orc::SimpleCompiler(*parts_->machine)(module);
  if (!object) {
    *why = llvm::toString(object.takeError());
    return {};
  }
  return (*object)->getBuffer().str();
}

void* Jit::link(const std::string& object, std::string* why) {
  const std::lock_guard lock(parts_->mutex);
  if (!parts_->jit) {
    *why = parts_->wrong;
    return nullptr;
  }
  const std::string name = "kernel." + std::to_string(parts_->linked++);
  // A library of its own, as all have the same symbol.
  llvm::orc::JITDylib& library = parts_->jit->getExecutionSession().createBareJITDylib(name);
  library.addToLinkOrder(parts_->jit->getMainJITDylib());
  if (auto error =
          parts_->jit->addObjectFile(library, llvm::MemoryBuffer::getMemBufferCopy(object, name))) {
    *why = llvm::toString(std::move(error));
    return nullptr;
  }
  auto found = parts_->jit->lookup(library, kEntry);
  if (!found) {
    *why = llvm::toString(found.takeError()) + ": " + parts_->reported;
    return nullptr;
  }
  return found->toPtr<void*>();
}

}  // namespace xfer::kernels
