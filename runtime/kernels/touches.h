#pragma once
// Marks what kernels touch, for generated code: see Touches. Several threads of the host may mark
// the same byte at once.

#include <cstdint>

#include "kernels/frame.h"

namespace xfer::kernels::touches {

/// `bytes` from the address on.
void mark(Block* block, std::uint64_t address, std::uint64_t bytes, std::uint32_t writes);
/// Of the lanes of a mask, each at its own address.
void mark_lanes(Block* block, const std::uint64_t* addresses, std::uint32_t lanes,
                std::uint64_t bytes, std::uint32_t writes);
/// Outside of device memory.
void mark_elsewhere(Block* block, std::uint64_t address, std::uint64_t bytes, std::uint32_t writes);

}  // namespace xfer::kernels::touches
