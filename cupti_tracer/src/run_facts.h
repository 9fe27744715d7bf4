#pragma once
// Facts about the run that the trace holds besides the events.

#include "xfer/trace_writer.h"

namespace xfer::tracer {

/// The machine and its devices. At the start, so that a program that crashes has it too. Asks files
/// alone and not CUDA, which is being initialised.
void record_run(TraceWriter& writer, bool emulated);

}  // namespace xfer::tracer
