#pragma once
// The types of the elements of matrices.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace xfer::kernels::matrix {

enum class Element : std::uint8_t {
  kF64,
  kTf32,
  kBf16,
  kF16,
  kE4m3,
  kE5m2,
  kS8,
  kU8,
  kS4,
  kU4,
  kB1,
  kF32,
  kS32,
};

struct ElementKind {
  std::string_view name;
  std::uint8_t bits;
  bool integer;
};

inline constexpr ElementKind kElementKinds[] = {
    {"f64", 64, false}, {"tf32", 32, false}, {"bf16", 16, false}, {"f16", 16, false},
    {"e4m3", 8, false}, {"e5m2", 8, false},  {"s8", 8, true},     {"u8", 8, true},
    {"s4", 4, true},    {"u4", 4, true},     {"b1", 1, true},     {"f32", 32, false},
    {"s32", 32, true},
};

constexpr const ElementKind& kind_of(Element element) {
  return kElementKinds[static_cast<std::size_t>(element)];
}

// Elements without an address of their own move in words: a unit is an element or such a word.
constexpr unsigned unit_bytes(Element element) {
  const unsigned bits = kind_of(element).bits;
  return bits < 8 ? 4 : bits / 8;
}
constexpr unsigned elements_of_unit(Element element) {
  return unit_bytes(element) * 8 / kind_of(element).bits;
}

}  // namespace xfer::kernels::matrix
