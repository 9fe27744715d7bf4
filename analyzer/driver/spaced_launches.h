#pragma once
// Launches as Visual Studio formats them: `kernel << <grid, block >> > (arguments)`. nvcc reads
// these as launches; Clang reads `<<<` and `>>>` only.

#include <llvm/Support/VirtualFileSystem.h>

#include <optional>
#include <string>
#include <string_view>

namespace xfer::lint {

/// The text with `<< <` and `>> >` of launches closed up, each to the left, so that everything else
/// stays in its line and column; nothing when it has no such launch.
std::optional<std::string> close_up_launches(std::string_view text);

/// `files`, each read as close_up_launches gives it.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_launches_closed_up(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

}  // namespace xfer::lint
