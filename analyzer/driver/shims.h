#pragma once
// Headers that a parse needs and that an installed library may lack, kept in memory: last on the
// include path, so that the real one wins wherever it is.
//
// LibTorch's CPU-only packages leave out c10/cuda/impl/cuda_cmake_macros.h, which its own headers
// of CUDA streams and guards include; with an empty one they parse. The helper headers of the CUDA
// samples are in no toolkit, and much code includes them.
//
// kCudaLegacyHeader is included before any .cu file: what newer CUDA toolkits have removed and much
// code still uses (texture references, cudaThreadSynchronize), and what nvcc declares for the host
// by itself (min, max, math.h).

#include <llvm/Support/VirtualFileSystem.h>

#include <string_view>

namespace xfer::lint {

inline constexpr std::string_view kShimFolder = "/.xferlint-shims";
inline constexpr std::string_view kCudaLegacyHeader = "xferlint_cuda_legacy.h";

/// `files`, and the shims.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system_with_shims(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

}  // namespace xfer::lint
