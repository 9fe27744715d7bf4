#include "analyzer/driver/shims.h"

#include <llvm/Support/MemoryBuffer.h>

#include <string>

namespace xfer::lint {

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system_with_shims() {
  auto shims = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const char* header : {"c10/cuda/impl/cuda_cmake_macros.h"})
    shims->addFile(std::string(kShimFolder) + "/" + header, 0,
                   llvm::MemoryBuffer::getMemBuffer("#pragma once\n", header));
  auto files =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  files->pushOverlay(std::move(shims));
  return files;
}

}  // namespace xfer::lint
