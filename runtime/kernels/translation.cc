#include "kernels/translation.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <atomic>

#include "kernels/jit.h"
#include "kernels/kernels.h"
#include "kernels/translate/services.h"
#include "kernels/translate/touch.h"
#include "kernels/translate/unit.h"
#include "kernels/warp/widen.h"
#include "ptx/reader.h"

namespace xfer::kernels {
namespace {

std::atomic<std::uint64_t> count{0};

/// Instructions count eight times in each loop that they are in: between a label and a branch back
/// to it.
std::uint64_t weight_of(const ptx::Body& body) {
  constexpr unsigned kDeepest = 4;
  std::vector<unsigned> depth(body.instructions.size() + 1);
  for (std::size_t at = 0; at < body.instructions.size(); ++at) {
    const ptx::Instruction& instruction = body.instructions[at];
    if (instruction.operation != "bra" || instruction.operands.empty()) continue;
    const auto label = body.labels.find(instruction.operands[0].name);
    if (label == body.labels.end()) continue;
    for (std::size_t inside = label->second; inside <= at; ++inside) ++depth[inside];
  }
  std::uint64_t weight = 0;
  for (std::size_t at = 0; at < body.instructions.size(); ++at)
    weight += std::uint64_t{1} << (3 * std::min(depth[at], kDeepest));
  return weight;
}

Translation not_there() {
  Translation translation;
  translation.why = "its PTX has no such kernel";
  return translation;
}

}  // namespace

std::uint64_t translations() { return count; }

Translation translate(const LinkedModules& modules, const std::string& kernel, Extra extra) {
  const Definition definition = modules.kernel(kernel);
  if (!definition) return not_there();
  ++count;
  llvm::LLVMContext context;
  const auto target = Jit::instance().module(context, kernel);
  Unit unit(modules, *target);
  Translation result;
  try {
    const ptx::Body body = ptx::read_body(*definition.function);
    unit.add_kernel(definition, body, Jit::kEntry);
    result.weight = weight_of(body);
  } catch (const ptx::Fault& fault) {
    result.why = "line " + std::to_string(fault.line()) + " of its PTX: " + fault.what();
    return result;
  }
  result.records_touches = extra == Extra::kTouches && insert_touches(*target);
  define_services(*target);
  lower_block_atomics(*target);
  result.object = Jit::instance().compile(*target, Effort::kFull, &result.why);
  result.shared_bytes = unit.shared_bytes();
  result.local_bytes = unit.local_bytes();
  result.variables = unit.variables();
  result.waits = unit.waits();
  result.approximate.assign(unit.approximate().begin(), unit.approximate().end());
  return result;
}

Translation translate_for_warp(const LinkedModules& modules, const std::string& kernel,
                               Extra extra, WarpShape shape) {
  const Definition definition = modules.kernel(kernel);
  if (!definition) return not_there();
  ++count;
  llvm::LLVMContext context;
  const auto target = Jit::instance().module(context, kernel);
  Unit unit(modules, *target);
  Translation result;
  try {
    unit.add_kernel(definition, ptx::read_body(*definition.function), "thread");
  } catch (const ptx::Fault& fault) {
    result.why = fault.what();
    return result;
  }
  if (extra == Extra::kTouches) insert_touches(*target);
  prepare_for_warp(*target);
  llvm::Function* const thread = target->getFunction("thread");
  if (auto wrong = wrong_for_warp(*thread, shape)) {
    result.why = *wrong;
    return result;
  }
  widen(*thread, Jit::kEntry, shape);
  thread->eraseFromParent();
  define_services(*target);
  lower_block_atomics(*target);
  result.object = Jit::instance().compile(*target, Effort::kShort, &result.why);
  return result;
}

}  // namespace xfer::kernels
