#pragma once
// A hash that nobody finds a second text for (BLAKE3).

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace xfer::kernels {

using Digest = std::array<std::uint8_t, 32>;

/// Of these texts and of where each ends.
Digest digest_of(std::initializer_list<std::string_view> parts);

inline std::string_view bytes_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string hexadecimal(const Digest& digest);

}  // namespace xfer::kernels
