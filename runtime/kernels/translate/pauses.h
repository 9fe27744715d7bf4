#pragma once
// Where a thread lets others of its block come as far, though no barrier says so. On a device the
// warps of a block run nearly side by side, and kernels count on it, knowingly or not; here one
// might run far ahead of the others.
//
// - Kernels read shared memory behind a barrier and overwrite it after a long way without another:
//   all have read by then.
// - Kernels write shared memory and read what other warps wrote there, with no barrier between: all
//   have written by then.

#include <cstddef>
#include <set>

#include "ptx/module.h"

namespace xfer::kernels {

/// Instructions, by their number.
struct Pauses {
  std::set<std::size_t> before;        ///< whenever they are come to
  std::set<std::size_t> before_loops;  ///< these begin one: when it is come to from before it
};

Pauses pauses_of(const ptx::Body& body);

}  // namespace xfer::kernels
