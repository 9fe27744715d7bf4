#pragma once
// Where a thread lets others of its block come as far, though no barrier says so. Kernels read
// shared memory behind a barrier and overwrite it after a long way without another: on a device all
// have read by then, here one might run far ahead of the others.

#include <cstddef>
#include <set>

#include "ptx/module.h"

namespace xfer::kernels {

/// The first instructions of loops before which threads pause: those that are come to from a
/// barrier behind which shared memory is read, and behind whose beginning it is written before the
/// next barrier.
std::set<std::size_t> pauses_of(const ptx::Body& body);

}  // namespace xfer::kernels
