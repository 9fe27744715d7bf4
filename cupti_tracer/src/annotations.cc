// What the program says itself through xfer/annotate.h.

#include "annotations.h"

#include <exception>

#include "host_clock.h"
#include "thread_state.h"
#include "tracer.h"

namespace xfer::tracer {
namespace {

template <typename F>
void with_tracer(F&& f) noexcept {
  Tracer* tracer = Tracer::current();
  ThreadState* thread = thread_state();
  if (tracer == nullptr || thread == nullptr || thread->busy) return;
  try {
    f(*tracer, *thread);
  } catch (const std::exception&) {  // out of memory: unsaid
  }
}

}  // namespace

void Tracer::annotate_block(ThreadState& thread, const void* pointer, std::size_t bytes, int device,
                            bool alloc) {
  CallSite at;
  at.device = static_cast<std::int16_t>(device);
  at.thread = thread.thread;
  at.site = call_site();
  at.begin_ns = host_clock_ns();
  recorder_.block(at, reinterpret_cast<std::uintptr_t>(pointer), bytes, alloc);
}

void Tracer::annotate_scope(ThreadState& thread, const char* name) {
  CallSite at;
  at.thread = thread.thread;
  at.begin_ns = host_clock_ns();
  recorder_.scope(at, name != nullptr ? writer_->intern_string(name) : 0);
}

void scope_begin(const char* name) {
  with_tracer([&](Tracer& tracer, ThreadState& thread) {
    tracer.annotate_scope(thread, name != nullptr && *name != '\0' ? name : "scope");
  });
}
void scope_end() {
  with_tracer([&](Tracer& tracer, ThreadState& thread) { tracer.annotate_scope(thread, nullptr); });
}
void allocated(const void* pointer, std::size_t bytes, int device) {
  with_tracer([&](Tracer& tracer, ThreadState& thread) {
    tracer.annotate_block(thread, pointer, bytes, device, true);
  });
}
void released(const void* pointer) {
  with_tracer([&](Tracer& tracer, ThreadState& thread) {
    tracer.annotate_block(thread, pointer, 0, 0, false);
  });
}

}  // namespace xfer::tracer
