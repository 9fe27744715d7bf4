#pragma once
#include <cstdint>
#include <vector>

namespace nvcc_like {

/// A stack captured at sample.cu:9, called from sample.cu:22.
std::vector<std::uintptr_t> run();

}  // namespace nvcc_like
