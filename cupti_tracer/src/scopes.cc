// Scopes of xfer/annotate.h, and how scopes come into the trace.

#include <string>

#include "annotations.h"
#include "scope_log.h"
#include "thread_state.h"
#include "tracer.h"
#include "xfer/no_cancel.h"

namespace xfer::tracer {
namespace {

constexpr char kAnnotated = 0;  // their stack

}  // namespace

void scope_begin(const char* name) {
  with_scopes(thread_state(), 0, [&](ThreadState& thread, ScopeLog* log) {
    const bool named = name != nullptr && *name != '\0';
    thread.scopes.begin(&kAnnotated, thread.scope_names.find(named ? name : "scope"), log);
    if (log != nullptr) thread.scopes.stir(*log);
    return 0;
  });
}

void scope_end() {
  with_scopes(thread_state(), 0, [](ThreadState& thread, ScopeLog* log) {
    return thread.scopes.end(&kAnnotated, log);
  });
}

void end_scopes(ThreadState& thread) noexcept {
  with_scopes(&thread, 0, [](ThreadState& state, ScopeLog* log) {
    state.scopes.end_all(log);
    return 0;
  });
}

void Tracer::stir_scopes(ThreadState& thread) {
  TraceScopeLog log(*this, thread.thread);
  thread.scopes.stir(log);
}

void Tracer::write_scope_begin(std::uint32_t thread, ScopeNames::Name& name, std::uint32_t id,
                               std::uint64_t ns) {
  auto& [text, use] = name;
  std::uint32_t in_trace = use.in_trace.load(std::memory_order_relaxed);
  const NoCancel no_cancel;
  if (in_trace == 0) {
    in_trace = writer_->intern_string(text);
    use.in_trace.store(in_trace, std::memory_order_relaxed);
  }
  CallSite at;
  at.thread = thread;
  at.begin_ns = ns;
  recorder_.scope_begin(at, in_trace, id);
}

void Tracer::write_scope_end(std::uint32_t thread, std::uint32_t id, std::uint64_t ns) {
  const NoCancel no_cancel;
  CallSite at;
  at.thread = thread;
  at.begin_ns = ns;
  recorder_.scope_end(at, id);
}

void Tracer::describe_scopes() {
  ScopeNames::all().for_each([&](const ScopeNames::Name& name) {
    if (const auto count = name.second.unwritten.load(std::memory_order_relaxed); count != 0)
      writer_->set_metadata("scope.unwritten." + name.first, std::to_string(count));
  });
  if (const std::uint64_t count = ThreadScopes::left_out(); count != 0)
    writer_->set_metadata("detail.scopes", std::to_string(count));
}

}  // namespace xfer::tracer
