// ScalarType: the type of a tensor's elements. One table, scalar_types.def, says all that is known
// of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string_view>

#include "tensorlib/bfloat16.h"
#include "tensorlib/half.h"
#include "tensorlib/macros.h"

namespace tensorlib {

enum class ScalarType : int8_t {
#define TENSORLIB_SCALAR_TYPE(type, name, text) name,
#include "tensorlib/scalar_types.def"
#undef TENSORLIB_SCALAR_TYPE
};
using Dtype = ScalarType;

#define TENSORLIB_SCALAR_TYPE(type, name, text) constexpr ScalarType k##name = ScalarType::name;
#include "tensorlib/scalar_types.def"
#undef TENSORLIB_SCALAR_TYPE
constexpr ScalarType kUInt8 = kByte;
constexpr ScalarType kInt8 = kChar;
constexpr ScalarType kInt16 = kShort;
constexpr ScalarType kInt32 = kInt;
constexpr ScalarType kInt64 = kLong;
constexpr ScalarType kFloat16 = kHalf;
constexpr ScalarType kFloat32 = kFloat;
constexpr ScalarType kFloat64 = kDouble;
constexpr ScalarType kU8 = kByte;
constexpr ScalarType kI8 = kChar;
constexpr ScalarType kI16 = kShort;
constexpr ScalarType kI32 = kInt;
constexpr ScalarType kI64 = kLong;
constexpr ScalarType kF16 = kHalf;
constexpr ScalarType kF32 = kFloat;
constexpr ScalarType kF64 = kDouble;

template <class T>
struct CppTypeToScalarType;
#define TENSORLIB_SCALAR_TYPE(type, name, text)           \
  template <>                                             \
  struct CppTypeToScalarType<type> {                      \
    static constexpr ScalarType value = ScalarType::name; \
  };
#include "tensorlib/scalar_types.def"
#undef TENSORLIB_SCALAR_TYPE
template <class T>
constexpr ScalarType scalar_type_of = CppTypeToScalarType<T>::value;

// Bytes of one element.
constexpr size_t elementSize(ScalarType type) {
  switch (type) {
#define TENSORLIB_SCALAR_TYPE(cpp, name, text) \
  case ScalarType::name: return sizeof(cpp);
#include "tensorlib/scalar_types.def"
#undef TENSORLIB_SCALAR_TYPE
  }
  return 0;
}

// "float32"
constexpr const char* name_of(ScalarType type) {
  switch (type) {
#define TENSORLIB_SCALAR_TYPE(cpp, name, text) \
  case ScalarType::name: return text;
#include "tensorlib/scalar_types.def"
#undef TENSORLIB_SCALAR_TYPE
  }
  return "?";
}

// "Float", as LibTorch prints it
TENSORLIB_API const char* toString(ScalarType type);
TENSORLIB_API std::ostream& operator<<(std::ostream& out, ScalarType type);

// The result of dtype(): a ScalarType that prints as the C++ type's name, as in LibTorch
// ("float", where scalar_type() prints "Float").
class TENSORLIB_API TypeMeta {
 public:
  constexpr explicit TypeMeta(ScalarType type) : type_(type) {}
  constexpr operator ScalarType() const { return type_; }
  constexpr ScalarType toScalarType() const { return type_; }
  constexpr size_t itemsize() const { return elementSize(type_); }
  std::string_view name() const;  // "long int"

 private:
  ScalarType type_;
};
TENSORLIB_API std::ostream& operator<<(std::ostream& out, TypeMeta type);
constexpr ScalarType typeMetaToScalarType(TypeMeta type) { return type; }
constexpr TypeMeta scalarTypeToTypeMeta(ScalarType type) { return TypeMeta(type); }

constexpr bool isFloatingType(ScalarType type) {
  return type == kHalf || type == kBFloat16 || type == kFloat || type == kDouble;
}
constexpr bool isIntegralType(ScalarType type, bool include_bool) {
  return !isFloatingType(type) && (include_bool || type != kBool);
}

// A floating type of two bytes: what is computed of it is computed in float32.
constexpr bool isReducedFloatingType(ScalarType type) { return type == kHalf || type == kBFloat16; }

// The type that an operation on both computes in (both operands tensors with dimensions): the
// smallest that holds both, int16 of uint8 and int8, float32 of float16 and bfloat16.
TENSORLIB_API ScalarType promoteTypes(ScalarType a, ScalarType b);

}  // namespace tensorlib
