#pragma once
// The handlers that the program has, or believes to have, for the signals whose kernel handler is
// the tracer's: a program that sets a handler later is told that it has, and its handler is called
// after the tracer's, as if the kernel called it.
//
// Only where the library is preloaded: one that CUDA injects cannot stand between the program and
// sigaction(), and a handler that the program sets later takes the tracer's place.

#include <csignal>

#include "xfer/next_handler.h"

namespace xfer::tracer {

using SignalHandler = void (*)(int signal, siginfo_t* info, void* context);

/// Becomes the kernel's handler; the one before is the program's from then on. The handler is
/// called on the stack that the program's is to be called on, with all signals blocked.
void take_signal(int signal, SignalHandler handler) noexcept;

/// Whether the signal is the tracer's, in this process.
bool has_taken(int signal) noexcept;

/// Does the work of sigaction() for a program. Safe in signal handlers.
int program_sigaction(int signal, const struct sigaction* action,
                      struct sigaction* before) noexcept;

/// In the handler: what is to be called after it. False when the program has no handler, and the
/// signal is to have its default effect.
bool program_has_its_way(int signal, const siginfo_t& info, const void* context,
                         NextHandler* next) noexcept;

/// Gives the signal its default effect for good.
void restore_default(int signal) noexcept;

}  // namespace xfer::tracer
