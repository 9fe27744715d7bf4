#pragma once
// Bytes with zstd.

#include <optional>
#include <string>
#include <string_view>

namespace xfer::lint {

std::string packed(std::string_view bytes);
/// Nothing where the bytes are damaged, or are not `size` bytes once unpacked.
std::optional<std::string> unpacked(std::string_view bytes, std::size_t size);

}  // namespace xfer::lint
