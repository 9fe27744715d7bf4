#pragma once
// The types of a tensor's elements.

#include <cstdint>
#include <string_view>

namespace xfer::analyzer {

/// The element types whose size matters.
enum class Element : std::uint8_t {
  kUnknown,
  kBool,
  kByte,
  kChar,
  kShort,
  kInt,
  kLong,
  kHalf,
  kBFloat16,
  kFloat,
  kDouble
};

/// Bytes of one element; 0: not known.
unsigned size_of(Element element);
bool is_floating(Element element);
const char* name_of(Element element);
/// The type with this name in a ScalarType enumeration: "Float".
Element element_from(std::string_view enumerator);

}  // namespace xfer::analyzer
