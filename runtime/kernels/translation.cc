#include "kernels/translation.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <atomic>

#include "kernels/jit.h"
#include "kernels/kernels.h"
#include "kernels/lane_order.h"
#include "kernels/translate/unit.h"
#include "kernels/write_kernel.h"
#include "ptx/reader.h"

namespace xfer::kernels {
namespace {

std::atomic<std::uint64_t> count{0};

Translation not_there() {
  Translation translation;
  translation.why = "its PTX has no such kernel";
  return translation;
}

Effort effort_for(const Purpose& purpose) { return purpose.shape ? Effort::kShort : Effort::kFull; }

}  // namespace

std::string line_of_ptx(unsigned line) { return "line " + std::to_string(line) + " of its PTX"; }

std::uint64_t translations() { return count; }

Translation translate(const LinkedModules& modules, const std::string& kernel,
                      const Purpose& purpose) {
  const Definition definition = modules.kernel(kernel);
  if (!definition) return not_there();
  ++count;
  llvm::LLVMContext context;
  const auto target = Jit::instance().module(context, kernel);
  Unit unit(modules, *target);
  Translation result;
  try {
    const ptx::Body body = ptx::read_body(*definition.function);
    result.cost = cost_of(body);
    result.counts_on_lane_order = counts_on_lane_order(body);
    if (auto wrong = write_kernel(unit, definition, body, Jit::kEntry, purpose)) {
      result.why = *wrong;
      return result;
    }
  } catch (const ptx::Fault& fault) {
    result.why = line_of_ptx(fault.line()) + ": " + fault.what();
    return result;
  }
  result.object = Jit::instance().compile(*target, effort_for(purpose), &result.why);
  result.shared_bytes = unit.shared_bytes();
  result.local_bytes = unit.local_bytes();
  result.variables = unit.variables();
  result.waits = unit.waits();
  result.records_touches = unit.records_touches();
  result.tells_others = unit.tells_others();
  result.approximate.assign(unit.approximate().begin(), unit.approximate().end());
  return result;
}

std::string object_with_lines(const LinkedModules& modules, const std::string& kernel,
                              const Purpose& purpose) {
  const Definition definition = modules.kernel(kernel);
  llvm::LLVMContext context;
  const auto target = Jit::instance().module(context, kernel);
  {
    Unit unit(modules, *target);
    unit.add_lines();
    write_kernel(unit, definition, ptx::read_body(*definition.function), Jit::kEntry, purpose);
  }
  std::string why;
  return Jit::instance().compile(*target, effort_for(purpose), &why);
}

}  // namespace xfer::kernels
