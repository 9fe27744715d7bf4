#pragma once
// Functions that the code of a warp calls by name.

#include <cstddef>
#include <cstdint>

#include "kernels/warp_frame.h"

namespace xfer::kernels::warp {

/// Memory for the values that the warp keeps while it waits.
std::byte* frame(Warp* warp, std::uint64_t bytes);
/// Memory for the state that it writes down when it leaves.
WarpState* state(Warp* warp, std::uint64_t bytes);
/// match and redux of the lanes in `active`: arrays hold a word for each of kLanes lanes.
void match(std::uint32_t active, const std::uint32_t* masks, const std::uint64_t* values,
           const std::uint32_t* all, std::uint32_t* equal, std::uint32_t* results);
void reduce(std::uint32_t active, const std::uint32_t* masks, const std::uint32_t* how,
            const std::uint32_t* values, std::uint32_t* results);

}  // namespace xfer::kernels::warp
