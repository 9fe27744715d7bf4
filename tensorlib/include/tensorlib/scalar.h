// Scalar: one number of any element type, as operations take it and item() returns it.
#pragma once

#include <iosfwd>
#include <type_traits>

#include "tensorlib/macros.h"
#include "tensorlib/scalar_type.h"

namespace tensorlib {

class Scalar {
 public:
  Scalar() : Scalar(int64_t{0}) {}
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  Scalar(T value) {
    if constexpr (std::is_same_v<T, bool>) {
      kind_ = Kind::kBool;
      integer_ = value;
    } else if constexpr (std::is_integral_v<T>) {
      kind_ = Kind::kInteger;
      integer_ = static_cast<int64_t>(value);
    } else {
      kind_ = Kind::kFloating;
      floating_ = static_cast<double>(value);
    }
  }
  Scalar(Half value) : Scalar(static_cast<float>(value)) {}
  Scalar(BFloat16 value) : Scalar(static_cast<float>(value)) {}

  bool isFloatingPoint() const { return kind_ == Kind::kFloating; }
  bool isIntegral(bool include_bool) const {
    return kind_ == Kind::kInteger || (include_bool && kind_ == Kind::kBool);
  }
  bool isBoolean() const { return kind_ == Kind::kBool; }

  // The default type of a tensor made from it: a floating one is float64, as a C++ double is.
  ScalarType type() const {
    switch (kind_) {
      case Kind::kBool: return ScalarType::Bool;
      case Kind::kInteger: return ScalarType::Long;
      case Kind::kFloating: return ScalarType::Double;
    }
    return ScalarType::Double;
  }

  template <class T>
  T to() const {
    return kind_ == Kind::kFloating ? static_cast<T>(floating_) : static_cast<T>(integer_);
  }
  double toDouble() const { return to<double>(); }
  float toFloat() const { return to<float>(); }
  int64_t toLong() const { return to<int64_t>(); }
  int toInt() const { return to<int>(); }
  bool toBool() const { return kind_ == Kind::kFloating ? floating_ != 0 : integer_ != 0; }

  Scalar operator-() const {
    return kind_ == Kind::kFloating ? Scalar(-floating_) : Scalar(-integer_);
  }

 private:
  enum class Kind : uint8_t { kBool, kInteger, kFloating };
  Kind kind_;
  union {
    int64_t integer_;
    double floating_;
  };
};

TENSORLIB_API std::ostream& operator<<(std::ostream& out, const Scalar& scalar);

template <>
inline bool Scalar::to<bool>() const {
  return toBool();
}
template <>
inline Half Scalar::to<Half>() const {
  return Half(toFloat());
}
template <>
inline BFloat16 Scalar::to<BFloat16>() const {
  return BFloat16(toFloat());
}

}  // namespace tensorlib
