#pragma once
// Reads the Chrome-trace JSON of torch.profiler (Kineto), plain or gzip: PyTorch 1.8 to 2.15, CUDA
// and ROCm. Other tools' traces in this format are read as far as they use Kineto's categories.
//
// Memory: as foreign/run.h says; the text itself is not kept.

#include <filesystem>

#include "foreign/run.h"

namespace xfer::foreign {

/// Throws TraceError: the file cannot be read, is no trace, or has nothing about a GPU. A file that
/// is cut off or damaged gives what stands before that, and a problem.
Run read_kineto(const std::filesystem::path& path);

}  // namespace xfer::foreign
