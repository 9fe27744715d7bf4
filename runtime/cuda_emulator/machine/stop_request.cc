#include "machine/stop_request.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace xfer::emulator {
namespace {

int stop_mark;  // its address is what the signal carries

}  // namespace

pid_t this_thread_id() { return static_cast<pid_t>(syscall(SYS_gettid)); }

void request_stop(pid_t thread) {
  siginfo_t info{};
  info.si_signo = SIGSEGV;
  info.si_code = SI_QUEUE;
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_ptr = &stop_mark;
  syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, SIGSEGV, &info);
}

bool is_stop_request(const siginfo_t& info) {
  return info.si_code == SI_QUEUE && info.si_value.sival_ptr == &stop_mark;
}

}  // namespace xfer::emulator
