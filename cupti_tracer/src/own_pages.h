#pragma once
// Pages of their own for the program's buffers, where devices are emulated: of what lies beside
// others nothing can be said (see AccessedPages).

#include <cstddef>

namespace xfer::tracer {

/// From now on the C library gives buffers such pages. In Python, whose programs make and free a
/// buffer at every step, only those for which widen() is asked. For the program's start.
void give_own_pages();
/// The alignment and the size to ask for instead, so that a buffer has them.
void widen(std::size_t& alignment, std::size_t& bytes);

}  // namespace xfer::tracer
