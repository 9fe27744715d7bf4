#include "kernels/write_kernel.h"

#include "kernels/translate/services.h"
#include "kernels/warp/widen.h"

namespace xfer::kernels {

std::optional<std::string> write_kernel(Unit& unit, const Definition& kernel, const ptx::Body& body,
                                        const std::string& name, std::optional<WarpShape> shape) {
  llvm::Module& module = unit.target();
  unit.add_kernel(kernel, body, shape ? "thread" : name);
  if (shape) {
    prepare_for_warp(module);
    llvm::Function* const thread = module.getFunction("thread");
    if (auto wrong = wrong_for_warp(*thread, *shape)) return wrong;
    widen(*thread, name, *shape);
    thread->eraseFromParent();
  }
  define_services(module);
  lower_block_atomics(module);
  return std::nullopt;
}

}  // namespace xfer::kernels
