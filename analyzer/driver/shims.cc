#include "analyzer/driver/shims.h"

#include <fmt/format.h>
#include <llvm/Support/MemoryBuffer.h>

#include <utility>

namespace xfer::shims {

extern const std::string_view cuda_legacy, helper_cuda, helper_functions, helper_image, helper_math,
    helper_string, helper_timer, nv_tools_ext;

}  // namespace xfer::shims

namespace xfer::lint {
namespace {

const std::pair<std::string_view, std::string_view> kShims[] = {
    {"c10/cuda/impl/cuda_cmake_macros.h", "#pragma once\n"},
    // Clang reads it before each .cu file; only kernels that draw random numbers use it.
    {"curand_mtgp32_kernel.h", "#pragma once\n"},
    {kCudaLegacyHeader, shims::cuda_legacy},
    {"helper_cuda.h", shims::helper_cuda},
    {"helper_functions.h", shims::helper_functions},
    {"helper_image.h", shims::helper_image},
    {"helper_math.h", shims::helper_math},
    {"helper_string.h", shims::helper_string},
    {"helper_timer.h", shims::helper_timer},
    {"nvToolsExt.h", shims::nv_tools_ext},
};

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system_with_shims(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  auto shims = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto& [name, text] : kShims)
    shims->addFile(fmt::format("{}/{}", kShimFolder, name), 0,
                   llvm::MemoryBuffer::getMemBuffer(text, name));
  auto both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(files));
  both->pushOverlay(std::move(shims));
  return both;
}

}  // namespace xfer::lint
