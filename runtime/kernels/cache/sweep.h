#pragma once
// Keeps the directory of a Store small.

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/cache/digest.h"
#include "kernels/cache/file.h"

namespace xfer::kernels {

std::string file_name(const Digest& key);
/// The beginning of the names of unfinished files; the rest makes each name unique.
inline constexpr std::string_view kUnfinished = ".unfinished-";

/// Removes files of a Store, those that were not used for longest first, until a part of
/// `most_bytes` is free; and files that processes left unfinished. Other files stay.
void sweep(const File& directory, std::uint64_t most_bytes);

}  // namespace xfer::kernels
