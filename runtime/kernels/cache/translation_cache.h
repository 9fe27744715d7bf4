#pragma once
// Translations of a program's kernels, kept on disk from run to run. A key holds all that they
// follow from: the PTX, which kernel, what for, this library's build, LLVM and the CPU.

#include <llvm/ADT/STLFunctionalExtras.h>

#include <optional>
#include <string>
#include <vector>

#include "kernels/cache/store.h"
#include "kernels/translation.h"

namespace xfer::kernels {

class TranslationCache {
 public:
  /// An empty directory, and a build that cannot be told from others: nothing is kept.
  TranslationCache(const std::string& directory, const std::vector<std::string>& texts);

  /// That of the kernel for that purpose, made now if it is not kept.
  Translation get(const std::string& kernel, const std::string& purpose,
                  llvm::function_ref<Translation()> make);

 private:
  std::optional<Store> store_;
  Digest program_{};
};

}  // namespace xfer::kernels
