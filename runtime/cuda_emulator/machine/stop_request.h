#pragma once
// One thread of the host that runs a kernel asks another to leave it. The other gets a signal: what
// it runs may be a loop without end. The signal is SIGSEGV with a mark, as of TimeLimit.

#include <signal.h>
#include <sys/types.h>

namespace xfer::emulator {

/// The calling thread, as request_stop() wants it.
pid_t this_thread_id();
/// It may be lost on a thread that cannot leave at that moment: to be sent again.
void request_stop(pid_t thread);

/// Whether a signal is such a request. Async-signal-safe.
bool is_stop_request(const siginfo_t& info);

}  // namespace xfer::emulator
