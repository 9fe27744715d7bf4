#pragma once
// Fat binaries as nvcc writes them, entry by entry.

#include <cstdint>
#include <string>

#include "src/fat_region.h"

namespace xfer::test {

enum class Packing { kNone, kZstd, kLz4, kUnknown };

/// `variant`: 'a' of sm_90a, 'f' of sm_100f, else 0.
std::string entry(FatEntry::Kind kind, std::uint32_t architecture, std::string payload,
                  Packing packing, char variant = 0);

std::string region(const std::string& entries);

}  // namespace xfer::test
