// Dims: the sizes or strides of a tensor, kept in place: at most kMaxDims of them, so that no
// tensor needs a heap block for its shape and a kernel can take a shape by value.
#pragma once

#include <array>
#include <cstdint>

#include "tensorlib/array_ref.h"

namespace tensorlib {

constexpr int kMaxDims = 8;

class Dims {
 public:
  Dims() = default;
  Dims(IntArrayRef values) : size_(static_cast<int>(values.size())) {
    for (int i = 0; i < size_; ++i) values_[i] = values[i];
  }
  static Dims filled(int size, int64_t value) {
    Dims dims;
    dims.size_ = size;
    for (int i = 0; i < size; ++i) dims.values_[i] = value;
    return dims;
  }

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t& operator[](int i) { return values_[i]; }
  int64_t operator[](int i) const { return values_[i]; }
  const int64_t* begin() const { return values_.data(); }
  const int64_t* end() const { return values_.data() + size_; }
  int64_t back() const { return values_[size_ - 1]; }
  void push_back(int64_t value) { values_[size_++] = value; }
  void insert(int at, int64_t value) {
    for (int i = size_; i > at; --i) values_[i] = values_[i - 1];
    values_[at] = value;
    ++size_;
  }
  void erase(int at) {
    for (int i = at; i + 1 < size_; ++i) values_[i] = values_[i + 1];
    --size_;
  }
  operator IntArrayRef() const { return IntArrayRef(values_.data(), static_cast<size_t>(size_)); }
  friend bool operator==(const Dims& a, const Dims& b) { return IntArrayRef(a) == IntArrayRef(b); }
  friend bool operator!=(const Dims& a, const Dims& b) { return !(a == b); }

 private:
  std::array<int64_t, kMaxDims> values_;
  int size_ = 0;
};

// `sizes` are not negative. Is there no such shape: would its number of elements, or one of its
// strides, be beyond int64?
inline bool overflows(IntArrayRef sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) {
    if (__builtin_mul_overflow(count, size > 0 ? size : 1, &count)) return true;
  }
  return false;
}

inline int64_t product(IntArrayRef sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

// Row-major strides of a shape.
inline Dims contiguous_strides(IntArrayRef sizes) {
  Dims strides = Dims::filled(static_cast<int>(sizes.size()), 1);
  for (int i = strides.size() - 2; i >= 0; --i) {
    strides[i] = strides[i + 1] * (sizes[i + 1] > 0 ? sizes[i + 1] : 1);
  }
  return strides;
}

}  // namespace tensorlib
