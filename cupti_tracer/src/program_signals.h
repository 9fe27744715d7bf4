#pragma once
// The handlers that the program has, or believes to have, for the signals whose kernel handler is
// the tracer's: a program that sets a handler later is told that it has, and its handler is called
// after the tracer's, as if the kernel called it.
//
// Only where the library is preloaded: one that CUDA injects cannot stand between the program and
// sigaction(), and a handler that the program sets later takes the tracer's place.

#include <csignal>

namespace xfer::tracer {

using SignalHandler = void (*)(int signal, siginfo_t* info, void* context);

/// Becomes the kernel's handler; the one before is the program's from then on.
void take_signal(int signal, SignalHandler handler) noexcept;

/// Whether the signal is the tracer's, in this process.
bool has_taken(int signal) noexcept;

/// What sigaction() does for a program. Safe in signal handlers.
int program_sigaction(int signal, const struct sigaction* action,
                      struct sigaction* before) noexcept;

/// In the handler: calls the program's. False when it has none, and the signal is to have its
/// default effect.
bool call_program(int signal, siginfo_t* info, void* context) noexcept;

/// Gives the signal its default effect for good.
void restore_default(int signal) noexcept;

}  // namespace xfer::tracer
