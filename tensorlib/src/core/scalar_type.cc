#include "tensorlib/scalar_type.h"

#include <ostream>
#include <utility>

#include "tensorlib/scalar.h"

namespace tensorlib {

const char* toString(ScalarType type) {
  switch (type) {
#define TENSORLIB_SCALAR_TYPE(cpp, name, text) \
  case ScalarType::name: return #name;
#include "tensorlib/scalar_types.def"
#undef TENSORLIB_SCALAR_TYPE
  }
  return "?";
}

std::string_view TypeMeta::name() const {
  switch (type_) {
    case ScalarType::Byte: return "unsigned char";
    case ScalarType::Char: return "signed char";
    case ScalarType::Short: return "short int";
    case ScalarType::Int: return "int";
    case ScalarType::Long: return "long int";
    case ScalarType::Half: return "c10::Half";
    case ScalarType::BFloat16: return "c10::BFloat16";
    case ScalarType::Float: return "float";
    case ScalarType::Double: return "double";
    case ScalarType::Bool: return "bool";
  }
  return "?";
}
std::ostream& operator<<(std::ostream& out, TypeMeta type) { return out << type.name(); }

std::ostream& operator<<(std::ostream& out, ScalarType type) { return out << toString(type); }

std::ostream& operator<<(std::ostream& out, const Scalar& scalar) {
  if (scalar.isFloatingPoint()) return out << scalar.toDouble();
  if (scalar.isBoolean()) return out << (scalar.toBool() ? "true" : "false");
  return out << scalar.toLong();
}

ScalarType promoteTypes(ScalarType a, ScalarType b) {
  const auto category = [](ScalarType type) {
    return isFloatingType(type) ? 2 : isIntegralType(type, false) ? 1 : 0;
  };
  if (category(a) != category(b)) return category(a) > category(b) ? a : b;
  if (a > b) std::swap(a, b);
  if (a == kByte && b == kChar) return kShort;
  if (a == kHalf && b == kBFloat16) return kFloat;
  return b;  // the table is in promotion order within a category
}

}  // namespace tensorlib
