// Receives the program's annotations (xfer/annotate.h).

#include "annotations.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <string>

#include "ask_sibling.h"
#include "host_clock.h"
#include "thread_state.h"
#include "tracer.h"
#include "xfer/no_cancel.h"

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

void fill(xfer_counters& counters, const Tally& done) {
  counters.time_ns = host_clock_ns();
  counters.h2d_count = done.of[Tally::kH2dCount];
  counters.h2d_bytes = done.of[Tally::kH2dBytes];
  counters.d2h_count = done.of[Tally::kD2hCount];
  counters.d2h_bytes = done.of[Tally::kD2hBytes];
  counters.d2d_count = done.of[Tally::kD2dCount];
  counters.d2d_bytes = done.of[Tally::kD2dBytes];
  counters.p2p_count = done.of[Tally::kP2pCount];
  counters.p2p_bytes = done.of[Tally::kP2pBytes];
  counters.launches = done.of[Tally::kLaunches];
  counters.syncs = done.of[Tally::kSyncs];
  counters.allocations = done.of[Tally::kAllocations];
  counters.host_waits = done.of[Tally::kHostWaits];
}

void note_block(const void* pointer, std::size_t bytes, int device, bool alloc, bool with_stack) {
  with_tracer([&](Tracer& tracer, ThreadState& thread) {
    tracer.annotate_block(thread, pointer, bytes, device, alloc, with_stack);
  });
}

}  // namespace

void Tracer::annotate_block(ThreadState& thread, const void* pointer, std::size_t bytes, int device,
                            bool alloc, bool with_stack) {
  CallSite at;
  at.device = static_cast<std::int16_t>(device);
  at.thread = thread.thread;
  if (with_stack) at.site = call_site();
  stir_scopes(thread);
  at.begin_ns = host_clock_ns();
  recorder_.block(at, reinterpret_cast<std::uintptr_t>(pointer), bytes, alloc);
}

void Tracer::annotate_name(ThreadState& thread, const void* pointer, std::size_t bytes,
                           const char* name) {
  CallSite at;
  at.thread = thread.thread;
  at.begin_ns = host_clock_ns();
  const NoCancel no_cancel;
  recorder_.buffer_name(at, reinterpret_cast<std::uintptr_t>(pointer), bytes,
                        writer_->intern_string(name));
}

void name(const void* pointer, std::size_t bytes, const char* name) {
  if (name == nullptr || *name == '\0') return;
  with_tracer([&](Tracer& tracer, ThreadState& thread) {
    tracer.annotate_name(thread, pointer, bytes, name);
  });
}

void allocated(const void* pointer, std::size_t bytes, int device) {
  note_block(pointer, bytes, device, true, true);
}
void released(const void* pointer) { note_block(pointer, 0, 0, false, true); }
void block_allocated(const void* pointer, std::size_t bytes, int device) {
  note_block(pointer, bytes, device, true, false);
}
void block_released(const void* pointer) { note_block(pointer, 0, 0, false, false); }

void implicit_copies(int begin) {
  ThreadState* thread = thread_state();
  if (thread == nullptr) return;
  unsigned& depth = thread->open.implicit;
  if (begin != 0)
    ++depth;
  else if (depth != 0)
    --depth;
}

int read_counters(xfer_counters* counters) {
  const ThreadState* thread = thread_state();
  if (counters == nullptr || thread == nullptr || Tracer::is_off()) return 0;
  xfer_counters all{};
  fill(all, thread->open.done);
  all.size = counters->size;  // a program that was built with another version
  std::memcpy(counters, &all, std::min(counters->size, sizeof(all)));
  return 1;
}

long examine(const char* about, std::uint64_t since_ns, xfer_take_text take, void* to) {
  ThreadState* thread = thread_state();
  const auto say_so = [&](const std::string& text, long result) {
    take(to, text.data(), text.size());
    return result;
  };
  if (thread == nullptr || Tracer::is_off()) return say_so("this process is not traced", -1);
  Tracer* tracer = Tracer::current();
  if (tracer == nullptr) return say_so("", 0);  // CUDA was not used yet
  try {
    return tracer->examine(*thread, about, since_ns, take, to);
  } catch (const std::exception& error) {
    return say_so(error.what(), -1);
  }
}

long Tracer::examine(const ThreadState& thread, const char* about, std::uint64_t since_ns,
                     xfer_take_text take, void* to) {
  const std::uint64_t until_ns = host_clock_ns();
  queue_.wait_until_out(kLongestWaitMs);
  writer_->flush();
  const std::string window = std::to_string(thread.thread) + ':' + std::to_string(since_ns) + ':' +
                             std::to_string(until_ns);
  const char* const arguments[] = {"xfertrace", "report", "--window",    window.c_str(), "--about",
                                   about,       "--",     path_.c_str(), nullptr};
  return ask_sibling(arguments, take, to);
}

}  // namespace xfer::tracer
