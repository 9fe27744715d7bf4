// Options of modules: each option is set by a call of its name and read by the same name, as in
// LibTorch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <stdexcept>

#include "tensorlib/array_ref.h"

// An option `name`: options.name(value) sets it and gives the options back, options.name() is it.
#define TENSORLIB_OPTION(type, name)                \
 public:                                            \
  auto name(const type& value) -> decltype(*this) { \
    name##_ = value;                                \
    return *this;                                   \
  }                                                 \
  const type& name() const { return name##_; }      \
  type& name() { return name##_; }                  \
                                                    \
 private:                                           \
  type name##_

namespace tensorlib {

// N numbers, or one number for all N: `3` or `{3, 5}`.
template <size_t N>
class ExpandingArray {
 public:
  ExpandingArray(int64_t all) { values_.fill(all); }
  ExpandingArray(std::initializer_list<int64_t> values)
      : ExpandingArray(IntArrayRef(values.begin(), values.size())) {}
  ExpandingArray(IntArrayRef values) {
    if (values.size() != N && values.size() != 1) {
      throw std::invalid_argument("an option takes one number or one for each dimension");
    }
    for (size_t i = 0; i < N; ++i) values_[i] = values[values.size() == 1 ? 0 : i];
  }
  int64_t operator[](size_t i) const { return values_[i]; }
  int64_t& operator[](size_t i) { return values_[i]; }
  int64_t at(size_t i) const { return values_.at(i); }
  operator IntArrayRef() const { return values_; }
  // LibTorch's way to reach the numbers: `options.stride()->at(0)`.
  const std::array<int64_t, N>* operator->() const { return &values_; }
  std::array<int64_t, N>* operator->() { return &values_; }
  const std::array<int64_t, N>& operator*() const { return values_; }
  std::array<int64_t, N>& operator*() { return values_; }
  size_t size() const { return N; }
  friend std::ostream& operator<<(std::ostream& out, const ExpandingArray& array) {
    if (N == 1) return out << array[0];
    return out << IntArrayRef(array);
  }

 private:
  std::array<int64_t, N> values_{};
};

}  // namespace tensorlib
