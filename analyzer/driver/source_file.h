#pragma once
// Source files, by their names.

#include <filesystem>

namespace xfer::lint {

/// Whether a compiler takes it for a source in C, C++, CUDA or HIP.
bool is_source(const std::filesystem::path& file);

}  // namespace xfer::lint
