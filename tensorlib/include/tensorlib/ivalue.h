// IValue: a value of one of several types, as a custom function keeps it for its gradient.
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tensorlib/tensor.h"

namespace tensorlib {

class IValue {
 public:
  IValue() = default;
  IValue(bool value) : value_(value) {}
  template <class T, std::enable_if_t<std::is_arithmetic_v<T> && !std::is_same_v<T, bool>, int> = 0>
  IValue(T value) {
    if constexpr (std::is_integral_v<T>) {
      value_ = static_cast<int64_t>(value);
    } else {
      value_ = static_cast<double>(value);
    }
  }
  IValue(const char* value) : value_(std::string(value)) {}
  IValue(std::string value) : value_(std::move(value)) {}
  IValue(Tensor value) : value_(std::move(value)) {}
  IValue(std::vector<int64_t> value) : value_(std::move(value)) {}
  IValue(std::vector<double> value) : value_(std::move(value)) {}
  IValue(std::vector<Tensor> value) : value_(std::move(value)) {}
  IValue(IntArrayRef value) : value_(value.vec()) {}

  bool isNone() const { return std::holds_alternative<std::monostate>(value_); }
#define TENSORLIB_IVALUE(name, result, type)                             \
  bool is##name() const { return std::holds_alternative<type>(value_); } \
  result to##name(CallSite site = CallSite::current()) const { return get<type>(#name, site); }
  TENSORLIB_IVALUE(Bool, bool, bool)
  TENSORLIB_IVALUE(Int, int64_t, int64_t)
  TENSORLIB_IVALUE(Double, double, double)
  TENSORLIB_IVALUE(String, std::string, std::string)
  TENSORLIB_IVALUE(Tensor, Tensor, Tensor)
  TENSORLIB_IVALUE(IntVector, std::vector<int64_t>, std::vector<int64_t>)
  TENSORLIB_IVALUE(DoubleVector, std::vector<double>, std::vector<double>)
  TENSORLIB_IVALUE(TensorVector, std::vector<Tensor>, std::vector<Tensor>)
#undef TENSORLIB_IVALUE
  const std::string& toStringRef(CallSite site = CallSite::current()) const {
    return get<std::string>("String", site);
  }

 private:
  using Value = std::variant<std::monostate, bool, int64_t, double, std::string, Tensor,
                             std::vector<int64_t>, std::vector<double>, std::vector<Tensor>>;

  template <class T>
  const T& get(const char* wanted, CallSite site) const {
    if (const T* value = std::get_if<T>(&value_)) return *value;
    throw_other(wanted, value_.index(), site);
  }
  [[noreturn]] TENSORLIB_API static void throw_other(const char* wanted, size_t held,
                                                     CallSite site);

  Value value_;
};

}  // namespace tensorlib
