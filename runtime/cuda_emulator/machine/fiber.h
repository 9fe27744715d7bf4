#pragma once
// A stack of its own for each thread of a block that waits at a barrier. Switching costs a few
// nanoseconds (no system call) and is known to the sanitizers. Used by one OS thread at a time.

#include <csetjmp>
#include <cstddef>

namespace xfer::emulator {

class Fiber {
 public:
  static constexpr std::size_t kStackBytes = 256 << 10;

  /// Throws std::bad_alloc when there is no memory for a stack.
  Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  /// Starts body(argument) on this stack; comes back at its first leave().
  void start(void (*body)(void*), void* argument);
  /// Goes on after the last leave().
  void resume();
  /// Called on the fiber: back to whoever started or resumed it.
  void leave();

 private:
  friend void fiber_entry();
  void switch_in();

  void* stack_ = nullptr;
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  jmp_buf inside_;
  jmp_buf outside_;
  // What the sanitizers keep for each stack.
  void* own_fake_stack_ = nullptr;
  void* outer_fake_stack_ = nullptr;
  const void* outer_bottom_ = nullptr;
  std::size_t outer_bytes_ = 0;
  void* tsan_self_ = nullptr;
  void* tsan_outer_ = nullptr;
};

}  // namespace xfer::emulator
