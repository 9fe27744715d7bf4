#include <unwind.h>

#include "xfer/stack.h"

namespace xfer {
namespace {

struct FaultWalk {
  std::uintptr_t pc;
  std::span<std::uintptr_t> out;
  std::size_t count;
};

_Unwind_Reason_Code visit_fault_frame(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<FaultWalk*>(argument);
  int is_exact = 0;
  const std::uintptr_t pc = _Unwind_GetIPInfo(context, &is_exact);
  if (pc == 0 || walk.count == walk.out.size()) return _URC_END_OF_STACK;
  // The frames before it are the handlers'.
  if (walk.count == 0 && pc != walk.pc) return _URC_NO_REASON;
  walk.out[walk.count++] = pc + (is_exact != 0 ? 1 : 0);
  return _URC_NO_REASON;
}

}  // namespace

std::size_t capture_interrupted_stack(std::uintptr_t pc, std::span<std::uintptr_t> out) noexcept {
  if (out.empty()) return 0;
  // libgcc's unwinder finds its tables without a lock (glibc 2.35) and allocates nothing.
  FaultWalk walk{pc, out, 0};
  _Unwind_Backtrace(visit_fault_frame, &walk);
  if (walk.count == 0) walk.out[walk.count++] = pc + 1;
  return walk.count;
}

}  // namespace xfer
