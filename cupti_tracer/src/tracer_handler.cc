#include "tracer_handler.h"

#include <pthread.h>
#include <sys/mman.h>

XFER_HANDLER_STACK(xfer_tracer_handler_stack)

#if defined(XFER_HAVE_HANDLER_STACK)
// call_on_stack(top, work, argument)
extern "C" __attribute__((visibility("hidden"))) void xfer_tracer_call_on_stack(void* top,
                                                                                void (*work)(void*),
                                                                                void* argument);
// clang-format off
asm(".pushsection .text                           \n"
    ".globl xfer_tracer_call_on_stack             \n"
    ".hidden xfer_tracer_call_on_stack            \n"
    ".type xfer_tracer_call_on_stack, @function   \n"
    "xfer_tracer_call_on_stack:                   \n"
    "  .cfi_startproc                             \n"
    "  endbr64                                    \n"
    "  pushq %rbp                                 \n"
    "  .cfi_def_cfa_offset 16                     \n"
    "  .cfi_offset %rbp, -16                      \n"
    "  movq %rsp, %rbp                            \n"
    "  .cfi_def_cfa_register %rbp                 \n"
    "  movq %rdi, %rsp                            \n"
    "  movq %rdx, %rdi                            \n"
    "  call *%rsi                                 \n"
    "  leave                                      \n"
    "  .cfi_def_cfa %rsp, 8                       \n"
    "  ret                                        \n"
    "  .cfi_endproc                               \n"
    ".size xfer_tracer_call_on_stack, .-xfer_tracer_call_on_stack\n"
    ".popsection                                  \n");
// clang-format on
#endif

namespace xfer::tracer {

void make_tracer_handler_stack() noexcept { make_xfer_tracer_handler_stack(); }

void with_room(void (*work)(void* argument), void* argument) noexcept {
#if defined(XFER_HAVE_HANDLER_STACK)
  constexpr std::size_t kEnough = 256 << 10;
  stack_t now{};
  if (sigaltstack(nullptr, &now) == 0 && (now.ss_flags & SS_ONSTACK) != 0 &&
      now.ss_size < kEnough) {
    void* const stack = mmap(nullptr, kEnough, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack != MAP_FAILED) {
      const sigset_t all = all_signals();
      sigset_t before;
      pthread_sigmask(SIG_SETMASK, &all, &before);
      xfer_tracer_call_on_stack(static_cast<std::byte*>(stack) + kEnough, work, argument);
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      munmap(stack, kEnough);
      return;
    }
  }
#endif
  work(argument);
}

}  // namespace xfer::tracer
