#pragma once
// The instruction that makes a function go on elsewhere.

#include <array>
#include <cstdint>
#include <cstring>

namespace xfer::emulator {

#ifdef __x86_64__
inline constexpr std::array<unsigned char, 6> kJump = {0xff, 0x25, 0, 0, 0, 0};  // to what follows
inline constexpr std::size_t kJumpBytes = kJump.size() + sizeof(void*);
#else
#error "how to jump to an address that follows the instruction?"
#endif

/// The pages at `at` are open.
inline void write_jump(std::uintptr_t at, const void* to) {
  auto* const code = reinterpret_cast<unsigned char*>(at);
  std::memcpy(code, kJump.data(), kJump.size());
  std::memcpy(code + kJump.size(), &to, sizeof(to));
}

}  // namespace xfer::emulator
