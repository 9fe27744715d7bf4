#pragma once
// Asks xfertrace about the trace while the program runs.

#include "xfer/annotate.h"

namespace xfer::tracer {

/// Runs xfertrace with `arguments` (null at the end; the first is the program's name), which prints
/// a number on the first line and then a text. The number; -1: it could not be run, or gave none,
/// and the text says so. Waits. The program's own handler of SIGCHLD may take the child's end.
long ask_sibling(const char* const* arguments, xfer_take_text take, void* to) noexcept;

}  // namespace xfer::tracer
