#pragma once
// The one stack on which all of the tracer's signal handlers do their work: see handler_stack.h. A
// handler is defined by XFER_TRACER_HANDLER, with a function for its work, in one file.

#include "xfer/handler_stack.h"

#define XFER_TRACER_HANDLER(handler, work)                                  \
  extern "C" __attribute__((visibility("hidden"), used)) void work(         \
      int signal, siginfo_t* info, void* context, xfer::NextHandler* next); \
  XFER_HANDLER(handler, xfer_tracer_handler_stack, work)

extern "C" __attribute__((visibility("hidden"))) xfer::HandlerStack xfer_tracer_handler_stack;

namespace xfer::tracer {

/// Before a handler is installed. Once.
void make_tracer_handler_stack() noexcept;

/// Calls it where there is room: on an alternate stack, which may be a small one, on a new stack
/// and with all signals blocked; else where it is.
void with_room(void (*work)(void* argument), void* argument) noexcept;

}  // namespace xfer::tracer
