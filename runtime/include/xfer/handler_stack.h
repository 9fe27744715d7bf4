#pragma once
// Signal handlers that leave the stack they are called on to the program.
//
// A program's alternate stack may be just large enough for the frame that the kernel puts there and
// for the program's own handler: the frame alone is 3 to 12 KiB, by the processor. So a handler
// that is defined here takes 56 bytes of it. It does its work on a stack of its own, one for the
// process, which threads take in turn. Then it takes those bytes off again and jumps to the handler
// that comes next, which finds the stack as the kernel left it and may leave by a jump.
//
// All signals are blocked meanwhile (all_signals(), for sigaction): one that came would find that
// the thread is not on its alternate stack, and its frame would overwrite the one that is there.
// Sanitizers, which follow stacks by themselves, and other processors have the work done on the
// stack that the handler is called on.

#include <pthread.h>
#include <sys/mman.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "xfer/next_handler.h"

#if defined(__x86_64__) && defined(__linux__) && !defined(__ILP32__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define XFER_HAVE_HANDLER_STACK 1
#endif

namespace xfer {

/// Its two members are known to the assembly below.
struct HandlerStack {
  std::uint64_t holder;  ///< the thread that is on it, as its thread pointer; 0: none
  std::byte* top;        ///< null: there is none, and handlers stay where they are
};

/// The handler's work. It fills in the function to call next, if there is one.
using HandlerWork = void (*)(int signal, siginfo_t* info, void* context, NextHandler* next);

inline sigset_t all_signals() {
  sigset_t all;
  std::memset(&all, 0xff, sizeof(all));  // those too that the C library keeps to itself
  return all;
}

/// Before a handler that uses it is installed. Once; `free_in_child` sets the holder to 0.
inline void make_handler_stack(HandlerStack& stack, void (*free_in_child)()) {
  constexpr std::size_t kBytes = 256 << 10;  // touched as far as it is used
  constexpr std::size_t kGuard = 64 << 10;   // whatever size pages have
  if (stack.top != nullptr) return;
  void* const memory = mmap(nullptr, kGuard + kBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  mprotect(memory, kGuard, PROT_NONE);
  pthread_atfork(nullptr, nullptr, free_in_child);  // another thread may have been on it
  stack.top = static_cast<std::byte*>(memory) + kGuard + kBytes;
}

}  // namespace xfer

/// In one file: a HandlerStack `stack`, and make_##stack(), which makes it.
#define XFER_HANDLER_STACK(stack)                                                                  \
  extern "C" {                                                                                     \
  __attribute__((visibility("hidden"), used)) xfer::HandlerStack stack;                            \
  }                                                                                                \
  static void make_##stack() {                                                                     \
    xfer::make_handler_stack(stack, [] { __atomic_store_n(&stack.holder, 0, __ATOMIC_RELEASE); }); \
  }

#if defined(XFER_HAVE_HANDLER_STACK)
// The frame, by rbp: -8, -16, -24 the arguments; -40, -32 the NextHandler; -48 whether the stack
// was taken. A thread that is on the stack already (abort() called by the work itself) stays there.
// clang-format off
#define XFER_HANDLER(handler, stack, work)                                               \
  extern "C" __attribute__((visibility("hidden"))) void handler(int, siginfo_t*, void*); \
  asm(".pushsection .text                          \n"                                   \
      ".globl " #handler "                         \n"                                   \
      ".hidden " #handler "                        \n"                                   \
      ".type " #handler ", @function               \n"                                   \
      #handler ":                                  \n"                                   \
      "  .cfi_startproc                            \n"                                   \
      "  endbr64                                   \n"                                   \
      "  pushq %rbp                                \n"                                   \
      "  .cfi_def_cfa_offset 16                    \n"                                   \
      "  .cfi_offset %rbp, -16                     \n"                                   \
      "  movq %rsp, %rbp                           \n"                                   \
      "  .cfi_def_cfa_register %rbp                \n"                                   \
      "  pushq %rdi                                \n"                                   \
      "  pushq %rsi                                \n"                                   \
      "  pushq %rdx                                \n"                                   \
      "  pushq $0                                  \n"                                   \
      "  pushq $0                                  \n"                                   \
      "  pushq $0                                  \n"                                   \
      "  movq %fs:0, %r8                           \n" /* the thread pointer */          \
      "1: xorl %eax, %eax                          \n"                                   \
      "  lock cmpxchgq %r8, " #stack "(%rip)       \n"                                   \
      "  je 2f                                     \n"                                   \
      "  cmpq %r8, %rax                            \n"                                   \
      "  je 3f                                     \n"                                   \
      "  movl $24, %eax                            \n" /* sched_yield */                 \
      "  syscall                                   \n"                                   \
      "  jmp 1b                                    \n"                                   \
      "2: movq $1, -48(%rbp)                       \n"                                   \
      "  movq 8+" #stack "(%rip), %rax             \n"                                   \
      "  testq %rax, %rax                          \n"                                   \
      "  je 3f                                     \n"                                   \
      "  movq %rax, %rsp                           \n"                                   \
      "3: leaq -40(%rbp), %rcx                     \n"                                   \
      "  andq $-16, %rsp                           \n"                                   \
      "  call " #work "                            \n"                                   \
      "  leaq -48(%rbp), %rsp                      \n"                                   \
      "  cmpq $0, -48(%rbp)                        \n"                                   \
      "  je 4f                                     \n"                                   \
      "  movq $0, " #stack "(%rip)                 \n"                                   \
      "4: cmpq $0, -40(%rbp)                       \n"                                   \
      "  je 5f                                     \n"                                   \
      "  movl $14, %eax                            \n" /* rt_sigprocmask */              \
      "  movl $2, %edi                             \n" /* SIG_SETMASK */                 \
      "  leaq -32(%rbp), %rsi                      \n"                                   \
      "  xorl %edx, %edx                           \n"                                   \
      "  movl $8, %r10d                            \n"                                   \
      "  syscall                                   \n"                                   \
      "  movq -8(%rbp), %rdi                       \n"                                   \
      "  movq -16(%rbp), %rsi                      \n"                                   \
      "  movq -24(%rbp), %rdx                      \n"                                   \
      "  movq -40(%rbp), %rax                      \n"                                   \
      "  .cfi_remember_state                       \n"                                   \
      "  leave                                     \n"                                   \
      "  .cfi_def_cfa %rsp, 8                      \n"                                   \
      "  jmp *%rax                                 \n"                                   \
      "  .cfi_restore_state                        \n"                                   \
      "5: leave                                    \n"                                   \
      "  .cfi_def_cfa %rsp, 8                      \n"                                   \
      "  ret                                       \n"                                   \
      "  .cfi_endproc                              \n"                                   \
      ".size " #handler ", .-" #handler "          \n"                                   \
      ".popsection                                 \n");
// clang-format on
#else
#define XFER_HANDLER(handler, stack, work)                          \
  static void handler(int signal, siginfo_t* info, void* context) { \
    xfer::NextHandler next;                                         \
    work(signal, info, context, &next);                             \
    if (next.call == nullptr) return;                               \
    sigset_t mask;                                                  \
    sigset_t ours;                                                  \
    sigemptyset(&mask);                                             \
    std::memcpy(&mask, &next.mask, sizeof(next.mask));              \
    pthread_sigmask(SIG_SETMASK, &mask, &ours);                     \
    next.call(signal, info, context);                               \
    pthread_sigmask(SIG_SETMASK, &ours, nullptr);                   \
  }
#endif
