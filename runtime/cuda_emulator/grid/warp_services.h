#pragma once
// The services in which lanes of a warp meet. kernels::Services says what each returns.

#include "kernels/frame.h"

namespace xfer::emulator::grid {

void warp_barrier(kernels::Thread* thread, std::uint32_t mask);
std::uint32_t shuffle(kernels::Thread* thread, std::uint32_t mask, kernels::Shuffle how,
                      std::uint32_t value, std::uint32_t lane, std::uint32_t clamp,
                      std::uint32_t* in_range);
std::uint32_t vote(kernels::Thread* thread, std::uint32_t mask, kernels::Vote how,
                   std::uint32_t predicate);
std::uint32_t match(kernels::Thread* thread, std::uint32_t mask, std::uint64_t value,
                    std::uint32_t all, std::uint32_t* equal);
std::uint32_t reduce(kernels::Thread* thread, std::uint32_t mask, kernels::Reduce how,
                     std::uint32_t value);
std::uint32_t active_mask(kernels::Thread* thread, std::uint32_t site);
const std::byte* exchange(kernels::Thread* thread, std::uint32_t mask, const std::byte* value,
                          std::uint32_t bytes);

}  // namespace xfer::emulator::grid
