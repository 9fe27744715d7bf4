#include "program_clock.h"

#include <dlfcn.h>

#include <string_view>

#include "thread_state.h"

namespace xfer::tracer {
namespace {

bool is_of_cuda(const void* code) noexcept {
  Dl_info info{};
  if (dladdr(code, &info) == 0 || info.dli_fname == nullptr) return false;
  const std::string_view path = info.dli_fname;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("libcuda") || name.starts_with("libcupti");
}

}  // namespace

void note_clock_read(const void* caller) noexcept {
  ThreadState* const thread = thread_state_if_any();
  if (thread == nullptr || thread->busy || thread->active || thread->open.clock_read ||
      caller == thread->clock_of_cuda)
    return;
  if (is_of_cuda(caller))
    thread->clock_of_cuda = caller;
  else
    thread->open.clock_read = true;
}

}  // namespace xfer::tracer
