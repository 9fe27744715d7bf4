// The ways in and out of a traced process, and nothing else: CUDA's injection entry point, the
// preload constructor, the ends of the process.

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "annotations.h"
#include "half_emulated.h"
#include "sibling.h"
#include "tracer.h"
#include "tracer_handler.h"
#include "xfer/annotate.h"
#include "xfer/no_cancel.h"

#define XFER_EXPORT __attribute__((visibility("default")))

namespace {

using xfer::tracer::Tracer;

void flush_at_exit(int status, void* /*unused*/) {
  Tracer* tracer = Tracer::current();
  if (tracer == nullptr) return;
  tracer->note_exit_status(status);
  tracer->flush_all();
}

// The exit code that the program shall have; 0: its own.
[[gnu::noinline]] int end(const char* how, std::optional<int> status = {}) {
  Tracer* tracer = Tracer::current();
  if (tracer == nullptr || tracer->pid() != getpid()) return 0;  // also: a vfork child
  if (status) tracer->note_exit_status(*status);
  tracer->flush_all();
  tracer->finish(how);
  return tracer->report();
}

[[noreturn]] void end_process(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

// The CUDA driver and NVTX load the libraries that these variables name. A library that is
// preloaded need not be named by hand.
__attribute__((constructor)) void name_injection_library() {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&name_injection_library), &self) == 0 ||
      self.dli_fname == nullptr)
    return;
  for (const char* variable : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"})
    setenv(variable, self.dli_fname, 0);
}

__attribute__((destructor)) void end_of_program() {
  Tracer* tracer = Tracer::current();
  if (tracer == nullptr) return xfer::tracer::say_if_bypassed();
  tracer->finish("exit");  // flushed at exit already; CUPTI may be gone by now
  if (const int code = tracer->report(); code != 0) {
    std::fflush(nullptr);  // the C library does it after this
    end_process(code);
  }
}

}  // namespace

// Called by the CUDA driver, and by the emulated CUDA, when they are initialised.
extern "C" XFER_EXPORT int InitializeInjection(void) {
  const xfer::NoCancel no_cancel;
  xfer::tracer::find_sibling();
  xfer::tracer::say_if_not_emulated();
  Tracer::start();
  on_exit(flush_at_exit, nullptr);
  at_quick_exit([] {
    if (const int code = end("quick_exit"); code != 0) end_process(code);
  });
  return 1;
}

// Found by name by programs that use xfer/annotate.h.
extern "C" XFER_EXPORT const xfer_listener xfer_listener_v1;
const xfer_listener xfer_listener_v1 = {
    .size = sizeof(xfer_listener),
    .scope_begin = xfer::tracer::scope_begin,
    .scope_end = xfer::tracer::scope_end,
    .name = xfer::tracer::name,
    .allocated = xfer::tracer::allocated,
    .released = xfer::tracer::released,
    .read_counters = xfer::tracer::read_counters,
    .examine = xfer::tracer::examine,
    .implicit_copies = xfer::tracer::implicit_copies,
};

// Ends that run no exit handlers. The C library's own calls do not come through here.
extern "C" XFER_EXPORT void _exit(int status) {
  struct {
    int status;
    int code;
  } ending = {status, 0};
  // A handler that ends the program may be on a stack that has no room for all of this.
  xfer::tracer::with_room(
      [](void* it) {
        auto* const given = static_cast<decltype(ending)*>(it);
        given->code = end("_exit", given->status);
      },
      &ending);
  const int code = ending.code;
  end_process(code != 0 ? code : status);
}
extern "C" XFER_EXPORT void _Exit(int status) { _exit(status); }
