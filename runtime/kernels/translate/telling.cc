#include "kernels/translate/telling.h"

namespace xfer::kernels {

bool tells_others(const ptx::Instruction& instruction) {
  if (instruction.has("sys") || instruction.has("mmio")) return true;
  if (instruction.has("shared") || instruction.has("cta")) return false;
  return instruction.has("volatile") || instruction.has("acquire") || instruction.has("release") ||
         instruction.has("acq_rel");
}

}  // namespace xfer::kernels
