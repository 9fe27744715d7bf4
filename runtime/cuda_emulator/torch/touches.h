#pragma once
// The ranges that an operator reads and writes, to the byte where that is certain: a watcher then
// knows which bytes its kernels would touch.

#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>
#include <vector>

#include "machine/hooks.h"

namespace xfer::emulated_torch {

using Touches = std::vector<xfer_emulator_touched_range>;

/// Of a call with these arguments and results. Nothing: it touches what no tensor here shows.
std::optional<Touches> touches_of(const c10::OperatorHandle& handle,
                                  const std::vector<c10::IValue>& arguments,
                                  const std::vector<c10::IValue>& results);

}  // namespace xfer::emulated_torch
