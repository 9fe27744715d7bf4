#include "machine/fiber.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <new>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace xfer::emulator {
namespace {

constexpr std::size_t kGuard = 4096;

// Without a mapping of its own where the kernel knows how (Linux 6.13): the number of mappings is
// limited, and a grid may have more threads that wait.
void make_guard(void* page) {
  constexpr int kInstallGuard = 102;  // MADV_GUARD_INSTALL
  if (madvise(page, kGuard, kInstallGuard) != 0) mprotect(page, kGuard, PROT_NONE);
}

// makecontext passes ints only; the fiber that starts is left here instead.
thread_local Fiber* starting = nullptr;

void before_switch([[maybe_unused]] void** fake_stack, [[maybe_unused]] const void* bottom,
                   [[maybe_unused]] std::size_t bytes, [[maybe_unused]] void* tsan) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(fake_stack, bottom, bytes);
#endif
#if defined(__SANITIZE_THREAD__)
  __tsan_switch_to_fiber(tsan, 0);
#endif
}

void after_switch([[maybe_unused]] void* fake_stack, [[maybe_unused]] const void** bottom,
                  [[maybe_unused]] std::size_t* bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake_stack, bottom, bytes);
#endif
}

}  // namespace

Fiber::Fiber() {
  stack_ = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack_ == MAP_FAILED) throw std::bad_alloc();
  make_guard(stack_);
  static thread_local std::size_t color = 0;
  usable_bytes_ = kStackBytes - color++ % 13 * 320;
#if defined(__SANITIZE_THREAD__)
  tsan_self_ = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#if defined(__SANITIZE_THREAD__)
  __tsan_destroy_fiber(tsan_self_);
#endif
  munmap(stack_, kStackBytes);
}

void fiber_entry() {
  Fiber* const self = starting;
  after_switch(nullptr, &self->outer_bottom_, &self->outer_bytes_);
  while (true) {
    self->body_(self->argument_);
    self->leave();
  }
}

void Fiber::start(void (*body)(void*), void* argument) {
  body_ = body;
  argument_ = argument;
  if (entered_) {
    resume();
    return;
  }
  entered_ = true;
#if defined(__SANITIZE_THREAD__)
  tsan_outer_ = __tsan_get_current_fiber();
#endif
  if (_setjmp(outside_) == 0) {
    starting = this;
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = stack_;
    context.uc_stack.ss_size = usable_bytes_;
    context.uc_link = nullptr;
    makecontext(&context, fiber_entry, 0);
    before_switch(&outer_fake_stack_, stack_, usable_bytes_, tsan_self_);
    setcontext(&context);
  }
  after_switch(outer_fake_stack_, nullptr, nullptr);
}

void Fiber::resume() {
#if defined(__SANITIZE_THREAD__)
  tsan_outer_ = __tsan_get_current_fiber();
#endif
  if (_setjmp(outside_) == 0) {
    before_switch(&outer_fake_stack_, stack_, usable_bytes_, tsan_self_);
    _longjmp(inside_, 1);
  }
  after_switch(outer_fake_stack_, nullptr, nullptr);
}

void Fiber::leave() {
  if (_setjmp(inside_) == 0) {
    before_switch(&own_fake_stack_, outer_bottom_, outer_bytes_, tsan_outer_);
    _longjmp(outside_, 1);
  }
  after_switch(own_fake_stack_, &outer_bottom_, &outer_bytes_);
}

}  // namespace xfer::emulator
