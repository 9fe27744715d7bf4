#pragma once
// Writes the scopes of a thread into the trace.

#include <exception>

#include "host_clock.h"
#include "thread_scopes.h"
#include "thread_state.h"
#include "tracer.h"

namespace xfer::tracer {

class TraceScopeLog final : public ScopeLog {
 public:
  TraceScopeLog(Tracer& tracer, std::uint32_t thread) : tracer_(tracer), thread_(thread) {}

  std::uint64_t now() override { return host_clock_ns(); }
  void begin(ScopeNames::Name& name, std::uint32_t id, std::uint64_t ns) override {
    tracer_.write_scope_begin(thread_, name, id, ns);
  }
  void end(std::uint32_t id, std::uint64_t ns) override {
    tracer_.write_scope_end(thread_, id, ns);
  }

 private:
  Tracer& tracer_;
  std::uint32_t thread_;
};

/// What `f` makes of the thread and of where its scopes they are written, which is null as long as
/// there is no trace. `otherwise`: nothing is traced any more, or memory is out.
template <class Result, class F>
Result with_scopes(ThreadState* thread, Result otherwise, F&& f) noexcept {
  if (thread == nullptr || thread->busy || Tracer::is_off()) return otherwise;
  try {
    Tracer* const tracer = Tracer::current();
    if (tracer == nullptr) return f(*thread, nullptr);
    TraceScopeLog log(*tracer, thread->thread);
    return f(*thread, &log);
  } catch (const std::exception&) {
    return otherwise;
  }
}

}  // namespace xfer::tracer
