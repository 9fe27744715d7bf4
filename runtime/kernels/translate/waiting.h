#pragma once
// Loops in which a thread may wait for what others do, as at a lock: the instructions of such a
// loop say whether it goes on by what they look at.

#include <cstddef>

#include "kernels/linked_modules.h"
#include "ptx/module.h"

namespace xfer::kernels {

/// Of the loop whose instructions are [first, last], in a function of the module `home`. A loop
/// that only tries its own compare-exchange again does not wait: one of those that try gets
/// through.
bool loop_waits(const ptx::Body& body, std::size_t first, std::size_t last,
                const LinkedModules& modules, const ptx::Module& home);

}  // namespace xfer::kernels
