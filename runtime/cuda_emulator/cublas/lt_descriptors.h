#pragma once
// cuBLASLt describes a product by objects that hold attributes by number. Each attribute of up to 8
// bytes has the slot of its number; the layouts are the toolkit's own, since programs may make such
// objects on their stack.

#include <cublasLt.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace xfer::emulator {

/// The attribute `number` of a descriptor; null when it has none of that number.
template <typename Opaque>
std::uint64_t* slot(Opaque* descriptor, int number) {
  constexpr int kSlots = sizeof(descriptor->data) / sizeof(descriptor->data[0]);
  return descriptor == nullptr || number < 0 || number >= kSlots ? nullptr
                                                                 : &descriptor->data[number];
}

/// The value of an attribute.
template <typename T, typename Opaque>
T attribute(const Opaque* descriptor, int number) {
  T value;
  std::memcpy(&value, &descriptor->data[number], sizeof(value));
  return value;
}

}  // namespace xfer::emulator
