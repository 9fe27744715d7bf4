#pragma once
// The buffers that a program gives as options of loading or linking, to read what was said of it.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace xfer::emulator {

/// `buffer`: the option that names the buffer; the next number's is its size, and afterwards how
/// much of it is filled.
template <typename Option>
void write_jit_log(std::string_view text, Option buffer, const Option* options, void** values,
                   unsigned count) {
  char* to = nullptr;
  void** size = nullptr;
  for (unsigned i = 0; options != nullptr && values != nullptr && i < count; ++i) {
    if (options[i] == buffer) to = static_cast<char*>(values[i]);
    if (options[i] == static_cast<Option>(buffer + 1)) size = &values[i];
  }
  if (to == nullptr || size == nullptr) return;
  const std::size_t bytes = reinterpret_cast<std::uintptr_t>(*size) & 0xffffffff;
  if (bytes == 0) return;
  const std::size_t length = std::min(text.size(), bytes - 1);
  std::memcpy(to, text.data(), length);
  to[length] = '\0';
  *size = reinterpret_cast<void*>(length);
}

}  // namespace xfer::emulator
