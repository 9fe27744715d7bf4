#pragma once
// The call stack of the current thread as return addresses, captured without frame pointers from
// the unwind tables. Symbolised later and elsewhere (symbolize.h).
//
// Cost: about 100 ns a frame through libgcc, a tenth of that where libunwind.so.8 is installed
// (looked for at the first use, never linked: it would replace the program's own exception
// unwinder). Thread-safe; allocates nothing after the first call of a thread.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace xfer {

inline constexpr std::size_t kMaxStackDepth = 64;

/// Address ranges whose frames are left out at the innermost end of a stack: the tracer's own
/// library, CUPTI, the CUDA runtime. Filled once at start, then only read.
class FrameFilter {
 public:
  /// The loaded module that holds this address. False: no module does, or the filter is full.
  bool add_module_of(const void* address) noexcept;
  bool skips(std::uintptr_t pc) const noexcept;

 private:
  struct Range {
    std::uintptr_t begin;
    std::uintptr_t end;
  };
  std::array<Range, 16> ranges_{};
  std::size_t count_ = 0;
};

/// Return addresses, innermost first, at most out.size(); those that `filter` skips are dropped
/// from the inner end only, so a callback from the program through cudart back into the program
/// stays.
std::size_t capture_stack(std::span<std::uintptr_t> out, const FrameFilter& filter = {}) noexcept;

/// In a handler of the signal that interrupted the program at `pc`: the stack from there on,
/// allocating nothing. Its first address is one past `pc`, as if it had been called from there.
std::size_t capture_interrupted_stack(std::uintptr_t pc, std::span<std::uintptr_t> out) noexcept;

/// Does the work that the first capture would do (loading libunwind), outside any lock or callback.
void prepare_stack_capture() noexcept;

}  // namespace xfer
