#pragma once
// Whose a wasteful call is, by its stack: a person can change what the program does, and not what
// a library does for itself.

#include <vector>

#include "xfer/engine.h"
#include "xfer/symbolize.h"

namespace xfer {

/// Waste that nobody can act on: it is a library's own, or the usual way to use one. `place`: the
/// stack's user_frame.
bool is_nobodys(const EngineFinding& found, const std::vector<SymbolFrame>& stack,
                const SymbolFrame* place);

/// Whether one call of the program's to a library, the innermost one, makes both calls.
bool is_one_call(const std::vector<SymbolFrame>& stack, const std::vector<SymbolFrame>& other);

/// PyTorch waits there, before it captures a graph: that a program does so too is the usual way.
bool is_of_capture(const std::vector<SymbolFrame>& stack);

/// A module moves its parameters, or a state is loaded into them.
bool is_of_module(const std::vector<SymbolFrame>& stack);

/// PyTorch's loader pins a batch there.
bool is_of_pinning_loader(const std::vector<SymbolFrame>& stack);

/// Waste with no line of the program in its stack.
bool is_of_library(const EngineFinding& found, const SymbolFrame* place);

}  // namespace xfer
