#pragma once
// The tracer's state per thread: the outermost CUDA call that the thread is in, and its scopes. A
// runtime call makes driver calls, and those make no events of their own.

#include <cupti.h>

#include "recorder.h"
#include "thread_scopes.h"

namespace xfer::tracer {

struct ThreadState {
  OpenCall open;
  ThreadScopes scopes;
  RecentNames scope_names;
  std::uint32_t thread = 0;       ///< gettid()
  bool active = false;            ///< in a call that is traced
  bool busy = false;              ///< in the tracer: its own CUDA calls are not traced
  CUpti_CallbackDomain domain{};  ///< of the call
  CUpti_CallbackId id = 0;
  std::uint32_t correlation = 0;
  const void* clock_of_library = nullptr;  ///< code of a library that reads clocks, found last
};

/// This thread's state, made at its first use and freed with the thread. Null when memory is out.
ThreadState* thread_state() noexcept;
/// Null when the thread has none yet: for signal handlers, which allocate nothing.
ThreadState* thread_state_if_any() noexcept;

}  // namespace xfer::tracer
