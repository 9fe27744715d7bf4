#pragma once
// Reads the SQLite file that `nsys export --type sqlite` writes (Nsight Systems 2022 to 2026): CUDA
// calls with their call stacks, copies, kernels, waits, and NVTX ranges.
//
// Memory: as foreign/run.h says.

#include <filesystem>

#include "foreign/run.h"

namespace xfer::foreign {

/// Throws TraceError: the file cannot be read, was not exported by nsys, or has nothing of CUDA. A
/// damaged file gives what could be read, and a problem.
Run read_nsys(const std::filesystem::path& path);

}  // namespace xfer::foreign
