#include "kernels/write_kernel.h"

#include "kernels/translate/services.h"
#include "kernels/translate/touch.h"
#include "kernels/warp/widen.h"

namespace xfer::kernels {

std::optional<std::string> write_kernel(Unit& unit, const Definition& kernel, const ptx::Body& body,
                                        const std::string& name, const Purpose& purpose) {
  llvm::Module& module = unit.target();
  if (!purpose.shape) unit.count_turns();
  unit.add_kernel(kernel, body, purpose.shape ? "thread" : name);
  if (purpose.extra == Extra::kTouches && insert_touches(module)) unit.note_touches();
  if (purpose.shape) {
    llvm::Function* const thread = module.getFunction("thread");
    if (auto wrong = wrong_to_inline(*thread)) return wrong;
    prepare_for_warp(module, *thread, *purpose.shape);
    if (auto wrong = wrong_for_warp(*thread, *purpose.shape)) return wrong;
    widen(*thread, name, *purpose.shape);
  }
  define_services(module);
  lower_block_atomics(module);
  return std::nullopt;
}

}  // namespace xfer::kernels
