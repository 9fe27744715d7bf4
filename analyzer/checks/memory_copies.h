#pragma once
// Copies of raw memory, as the checks that speak of them see them.

#include <string>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

/// Where the copy's bytes go: "CUDA", "the CPU".
std::string place_of(const MemoryCopyEvent& event);
/// Between the host and a device, as far as the pointers do not say otherwise (copy-kind).
bool crosses(const MemoryCopyEvent& event);

}  // namespace xfer::analyzer
