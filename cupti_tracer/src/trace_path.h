#pragma once
// Where this process writes its trace.

#include <string>

#include "xfer/options.h"

namespace xfer::tracer {

/// options.output with its % fields filled in; empty: a new file in $TMPDIR. A child process that
/// inherited a name without %p, and a program that replaced itself by exec, get a name of their
/// own.
std::string trace_path(const TracerOptions& options);

}  // namespace xfer::tracer
