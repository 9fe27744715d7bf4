#pragma once
// The content of a copy's host side, as a hash. The memory is the program's: the hash first asks
// the operating system whether it can be read at all. A program may pass a wrong pointer and live
// with the error code, while reading it here would kill it.
//
// Cost: the hash reads the bytes once. The question is a system call that takes 0.2 us and 10 to
// 250 ns a page, or for large ranges a look at the list of mappings (some 50 us).

#include <cstddef>
#include <cstdint>
#include <optional>

#include "api_call.h"
#include "xfer/content_hash.h"

namespace xfer::tracer {

/// Whether every page of the range can be read now.
bool is_readable(std::uint64_t address, std::uint64_t bytes);

/// The payload of one side of a transfer. None where it cannot be read, or its slices have gaps.
/// `known`: the range is an allocation of CUDA's, readable for sure (the kernel may deny it,
/// because pinned memory can be a device mapping).
std::optional<ContentHash> hash_side(const CopyCall& transfer, const CopySide& side, bool known);

}  // namespace xfer::tracer
