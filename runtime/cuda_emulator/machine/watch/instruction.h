#pragma once
// Memory accesses of the instruction that a thread was stopped at, read from its bytes and from the
// thread's registers. For signal handlers: it takes no lock and allocates no memory.

#include <array>
#include <cstdint>
#include <optional>

namespace xfer::emulator {

struct Access {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool writes = false;
};

struct Accesses {
  std::array<Access, 4> list;
  unsigned count = 0;
  const Access* begin() const { return list.data(); }
  const Access* end() const { return list.data() + count; }
};

/// `context`: a ucontext_t. A repeated string instruction counts with all that it has yet to do.
/// Nothing where the bytes are not certain: unknown instructions, masks, gathers, addresses
/// relative to a thread's segment, processors other than x86-64.
std::optional<Accesses> accesses_of(const void* context);

/// Whether it was built with a decoder.
bool can_decode();

/// The instruction's address; 0 on processors other than x86-64.
std::uintptr_t place_of(const void* context);
/// Whether the fault, of `context`, was a write; nothing on processors other than x86-64.
std::optional<bool> was_write(const void* context);

}  // namespace xfer::emulator
