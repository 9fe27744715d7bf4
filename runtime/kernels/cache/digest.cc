#include "kernels/cache/digest.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/BLAKE3.h>

#include <algorithm>

namespace xfer::kernels {

Digest digest_of(std::initializer_list<std::string_view> parts) {
  llvm::BLAKE3 hasher;
  for (const std::string_view part : parts) {
    const std::uint64_t bytes = part.size();
    hasher.update(llvm::StringRef(reinterpret_cast<const char*>(&bytes), sizeof(bytes)));
    hasher.update(llvm::StringRef(part));
  }
  Digest digest;
  std::ranges::copy(hasher.final<std::tuple_size_v<Digest>>(), digest.begin());
  return digest;
}

std::string hexadecimal(const Digest& digest) { return llvm::toHex(digest, /*LowerCase=*/true); }

}  // namespace xfer::kernels
