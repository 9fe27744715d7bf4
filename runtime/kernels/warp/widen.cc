#include "kernels/warp/widen.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "kernels/frame.h"
#include "kernels/passes.h"
#include "kernels/translate/high_product.h"
#include "kernels/translate/lines.h"
#include "kernels/translate/services.h"
#include "kernels/warp/inductions.h"
#include "kernels/warp/lanes.h"
#include "kernels/warp/resumption.h"
#include "kernels/warp/widener.h"

namespace xfer::kernels {
namespace {

bool is_vector_or_large(const llvm::Type* type) {
  return type->isVectorTy() || type->isAggregateType() ||
         (type->isIntegerTy() && type->getIntegerBitWidth() > 64);
}

/// Services that lanes in step cannot use.
bool is_for_threads(std::size_t service) {
  return service == offsetof(Services, exchange) || service == offsetof(Services, arrive) ||
         service == offsetof(Services, is_local);
}

std::optional<std::string> wrong_with(const llvm::CallInst& call) {
  const llvm::Function* const callee = call.getCalledFunction();
  if (callee == nullptr) return "it calls through pointers";
  if (const auto service = service_of(*callee)) {
    if (is_for_threads(*service)) return "it uses what threads do one by one";
    return std::nullopt;
  }
  if (is_turn(&call)) return std::nullopt;
  if (callee->isIntrinsic()) {
    const llvm::Intrinsic::ID id = callee->getIntrinsicID();
    if (const auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&call);
        copy != nullptr && llvm::isa<llvm::ConstantInt>(copy->getLength()))
      return std::nullopt;
    if (llvm::isTriviallyVectorizable(id) || id == llvm::Intrinsic::assume ||
        call.isLifetimeStartOrEnd() || llvm::isa<llvm::DbgInfoIntrinsic>(call))
      return std::nullopt;
    return "it uses " + callee->getName().str();
  }
  if (!callee->isDeclaration()) return "it calls functions that are not inlined";
  if (is_matrix_function(*callee)) return wrong_with_matrix_call(call);
  if (callee->isConvergent()) return "its lanes meet in a function of the library";
  return std::nullopt;
}

std::optional<std::string> wrong_with(const llvm::Instruction& instruction) {
  if (instruction.isTerminator())
    return llvm::isa<llvm::BranchInst, llvm::ReturnInst, llvm::UnreachableInst>(instruction)
               ? std::nullopt
               : std::optional<std::string>("it branches in ways that masks do not");
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    for (const llvm::User* user : exchange->users())
      if (!llvm::isa<llvm::ExtractValueInst>(user) ||
          llvm::cast<llvm::Instruction>(user)->getParent() != exchange->getParent())
        return "it keeps what a compare-exchange gave";
    return std::nullopt;
  }
  if (llvm::isa<llvm::ExtractValueInst>(instruction)) return std::nullopt;
  if (const auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      memory != nullptr && !memory->isStaticAlloca())
    return "it takes memory of the stack as it goes on";
  if (is_matrix_memory(instruction))
    if (auto wrong = wrong_with_matrix_memory(
            llvm::cast<llvm::AllocaInst>(const_cast<llvm::Instruction&>(instruction))))
      return wrong;
  if (is_vector_or_large(instruction.getType()) && !llvm::isa<llvm::AllocaInst>(instruction))
    return "it computes with small vectors or wide integers";
  for (const llvm::Value* operand : instruction.operands())
    if (is_vector_or_large(operand->getType())) return "it computes with small vectors";
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return wrong_with(*call);
  return std::nullopt;
}

bool is_meeting(std::size_t service) {
  for (const std::size_t meeting :
       {offsetof(Services, barrier), offsetof(Services, barrier_count),
        offsetof(Services, warp_barrier), offsetof(Services, shuffle), offsetof(Services, vote),
        offsetof(Services, match), offsetof(Services, reduce)})
    if (service == meeting) return true;
  return false;
}

bool has_meeting(const llvm::BasicBlock& block) {
  return std::ranges::any_of(block, [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call == nullptr || call->getCalledFunction() == nullptr) return false;
    const auto service = service_of(*call->getCalledFunction());
    return is_matrix_function(*call->getCalledFunction()) || (service && is_meeting(*service));
  });
}

/// Threads meet between `from` and `end`, the block where all ways join.
bool meets_before(llvm::BasicBlock* from, const llvm::BasicBlock* end) {
  std::set<llvm::BasicBlock*> seen;
  std::vector<llvm::BasicBlock*> left{from};
  while (!left.empty()) {
    llvm::BasicBlock* block = left.back();
    left.pop_back();
    if (block == end || !seen.insert(block).second) continue;
    if (has_meeting(*block)) return true;
    left.insert(left.end(), llvm::succ_begin(block), llvm::succ_end(block));
  }
  return false;
}

/// The lanes go different ways, and meet on the one as well as on the other before both join.
bool meets_apart(llvm::Function& function, WarpShape shape) {
  const Uniformity uniformity(function, shape);
  const llvm::PostDominatorTree after(function);
  for (llvm::BasicBlock& block : function) {
    if (!uniformity.divides(block)) continue;
    const auto* node = after.getNode(&block);
    const auto* join = node == nullptr ? nullptr : node->getIDom();
    const llvm::BasicBlock* end = join == nullptr ? nullptr : join->getBlock();
    if (llvm::all_of(llvm::successors(&block),
                     [&](llvm::BasicBlock* next) { return meets_before(next, end); }))
      return true;
  }
  return false;
}

/// The function that it calls, if prepare_for_warp inlines that; else null.
const llvm::Function* inlined_callee(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->hasInternalLinkage() ? callee : nullptr;
}

/// How many instructions functions have when all that they call is inlined.
class InlinedSizes {
 public:
  static constexpr std::uint64_t kMost = 60'000;  // what has more takes seconds to compile

  /// kMost + 1: more, or they call themselves.
  std::uint64_t of(const llvm::Function& function) {
    const auto [found, is_new] = sizes_.try_emplace(&function, kMost + 1);
    if (!is_new) return found->second;
    std::uint64_t size = 0;
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block) {
        const llvm::Function* callee = inlined_callee(instruction);
        size = std::min(size + (callee != nullptr ? of(*callee) : 1), kMost + 1);
      }
    return sizes_[&function] = size;
  }

 private:
  std::map<const llvm::Function*, std::uint64_t> sizes_;
};

}  // namespace

std::optional<std::string> wrong_to_inline(const llvm::Function& thread) {
  InlinedSizes sizes;
  std::uint64_t added = 0;
  for (const llvm::BasicBlock& block : thread)
    for (const llvm::Instruction& instruction : block)
      if (const auto* callee = inlined_callee(instruction)) added += sizes.of(*callee);
  if (added <= InlinedSizes::kMost) return std::nullopt;
  return "its functions, each in the place of its calls, are too long";
}

std::optional<std::string> wrong_for_warp(llvm::Function& thread, WarpShape shape) {
  for (const llvm::BasicBlock& block : thread)
    for (const llvm::Instruction& instruction : block)
      if (auto wrong = wrong_with(instruction)) return wrong;
  llvm::DominatorTree dominators(thread);
  llvm::LoopInfo loops(dominators);
  if (!order_of(thread, loops)) return "it has loops with two ways in";
  if (meets_apart(thread, shape)) return "its lanes meet apart from each other";
  return has_turns(thread) ? wrong_for_resumption(thread) : std::nullopt;
}

void prepare_for_warp(llvm::Module& module, llvm::Function& thread, WarpShape shape) {
  const auto run = [&](const char* pipeline) {
    run_passes(module, nullptr, [&](llvm::PassBuilder& builder) {
      llvm::ModulePassManager passes;
      llvm::cantFail(builder.parsePassPipeline(passes, pipeline));
      return passes;
    });
  };
  define_high_products(module, ProductBy::kHalves);
  for (llvm::Function& function : module)
    if (function.hasInternalLinkage()) function.addFnAttr(llvm::Attribute::AlwaysInline);
  run("always-inline,function(sroa,early-cse)");
  spell_lanes(thread, shape);
  // A value that is the same for all lanes must not become a choice between two paths of theirs: no
  // PRE.
  run("function(instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(licm),"
      "gvn<no-pre;no-load-pre>,"
      "instcombine<no-verify-fixpoint>,simplifycfg,lower-switch,loop-simplify,lcssa)");
  split_inductions(thread, shape);
  if (has_turns(thread)) split_at_waits(thread);
}

void widen(llvm::Function& thread, const std::string& name, WarpShape shape) {
  llvm::Type* pointer = llvm::PointerType::getUnqual(thread.getContext());
  auto* target = llvm::Function::Create(llvm::FunctionType::get(pointer, {pointer}, false),
                                        llvm::Function::ExternalLinkage, name, *thread.getParent());
  Widener widener(thread, *target, shape);
  llvm::Function* resumption = nullptr;
  if (has_turns(thread)) {
    resumption = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getVoidTy(thread.getContext()), {pointer, pointer},
                                false),
        llvm::Function::InternalLinkage, name + ".resumption", *thread.getParent());
    widener.leave_to(*resumption);
  }
  widener.run();
  Lines::move(thread, *target);
  if (resumption != nullptr) {
    write_resumption(thread, widener.kept(), *resumption, shape);
    // It runs seldom, and for each thread once.
    resumption->addFnAttr(llvm::Attribute::OptimizeNone);
    resumption->addFnAttr(llvm::Attribute::NoInline);
    Lines::share(*target, *resumption);
  }
  thread.eraseFromParent();
}

}  // namespace xfer::kernels
