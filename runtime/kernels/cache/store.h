#pragma once
// A cache on disk: contents under keys, in files of one directory. Processes that use it at once
// may end at any moment, so a file comes there whole or not at all, and one that is damaged is as
// none. Nothing here fails: at worst nothing is kept. Contents are run as code, so a directory or a
// file that others own or may write to is not used. The directory is opened anew each time: a
// program may close whatever is open, or fork. Thread-safe.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/cache/digest.h"

namespace xfer::kernels {

class Store {
 public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

  /// The files unused for longest go when all files together have more bytes than that.
  explicit Store(std::string directory, std::uint64_t most_bytes = kMostBytes)
      : directory_(std::move(directory)), most_bytes_(most_bytes) {}

  std::optional<std::string> get(const Digest& key) const;
  /// Makes the directory where there is none.
  void put(const Digest& key, std::string_view content);

 private:
  const std::string directory_;
  const std::uint64_t most_bytes_;
  std::atomic<std::uint64_t> unswept_ = ~std::uint64_t{0};  ///< bytes since the size was looked at
};

}  // namespace xfer::kernels
