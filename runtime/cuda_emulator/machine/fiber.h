#pragma once
// A stack of its own for each thread of a block that waits at a barrier. Switching costs a few
// nanoseconds (no system call) and is known to the sanitizers. Used by one OS thread at a time.

#include <csetjmp>
#include <cstddef>
#include <cstdint>

namespace xfer::emulator {

class Fiber {
 public:
  // Not a power of two: the tops of all stacks would fall into the same few cache sets.
  static constexpr std::size_t kStackBytes = 65 * 4096;

  /// Throws std::bad_alloc when there is no memory for a stack.
  Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  /// Starts body(argument) on this stack; comes back at its first leave(), or when it returns. The
  /// body that was started before has returned.
  void start(void (*body)(void*), void* argument);
  /// Goes on after the last leave().
  void resume();
  /// Called on the fiber: back to whoever started or resumed it.
  void leave();
  /// Whether the address lies on this stack.
  bool holds(std::uintptr_t address) const {
    return address - reinterpret_cast<std::uintptr_t>(stack_) < kStackBytes;
  }

 private:
  friend void fiber_entry();

  void* stack_ = nullptr;
  std::size_t usable_bytes_ = 0;
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  bool entered_ = false;  ///< the stack is in use; the first switch to it costs system calls
  jmp_buf inside_;
  jmp_buf outside_;
  // State that the sanitizers keep for each stack.
  void* own_fake_stack_ = nullptr;
  void* outer_fake_stack_ = nullptr;
  const void* outer_bottom_ = nullptr;
  std::size_t outer_bytes_ = 0;
  void* tsan_self_ = nullptr;
  void* tsan_outer_ = nullptr;
};

}  // namespace xfer::emulator
