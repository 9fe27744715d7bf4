#pragma once
// The files on this machine that parsing needs: Clang's own headers, GCC's where Clang lacks some,
// a C++ library's, a CUDA toolkit.

#include <filesystem>
#include <optional>
#include <string>

#include "analyzer/driver/library_headers.h"

namespace xfer::lint {

/// The folder with Clang 22's builtin headers (…/lib/clang/22). XFERLINT_RESOURCE_DIR wins. Throws
/// UsageError when there is none.
std::filesystem::path clang_resource_dir();

/// GCC's folder of builtin headers, searched after all others: it has omp.h, quadmath.h and others
/// that Clang's packages lack. Empty if there is no GCC.
std::filesystem::path gcc_include_dir();

/// The headers of a C++ library that this installation brings; none where the machine has its own.
std::optional<LibraryHeaders> library_headers();

/// The CUDA toolkit: `wanted` (from --cuda-path), the one that `compiler` (a path to nvcc) belongs
/// to, CUDA_HOME, CUDA_PATH, nvcc on PATH, /usr/local/cuda, pip's headers beside this installation.
std::optional<std::filesystem::path> cuda_toolkit(const std::string& wanted,
                                                  const std::string& compiler);

}  // namespace xfer::lint
