#pragma once
// The types of PTX's registers, variables and instructions: `.u32`, `.bf16x2`, `.pred`.

#include <cstdint>
#include <optional>
#include <string_view>

namespace xfer::ptx {

struct Type {
  enum class Kind : std::uint8_t {
    kBits,       ///< .b8 to .b128
    kUnsigned,   ///< .u8 to .u64
    kSigned,     ///< .s8 to .s64
    kFloat,      ///< .f16 to .f64
    kBrain,      ///< .bf16
    kTensor,     ///< .tf32
    kSmall,      ///< .e4m3, .e5m2 and their kin: eight bits or fewer
    kPredicate,  ///< .pred
    kOpaque,     ///< .texref, .samplerref, .surfref
  };

  Kind kind = Kind::kBits;
  std::uint8_t bits = 32;  ///< of one lane
  std::uint8_t lanes = 1;  ///< .f16x2 has two

  constexpr unsigned size() const { return bits < 8 ? 1U : unsigned{bits} * lanes / 8; }  ///< bytes
  friend constexpr bool operator==(const Type&, const Type&) = default;
};

/// Of the name without its dot; nothing: it names no type.
std::optional<Type> type_named(std::string_view name);

}  // namespace xfer::ptx
