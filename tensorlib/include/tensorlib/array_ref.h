// ArrayRef: a view of consecutive values that somebody else owns; IntArrayRef is how shapes are
// passed and returned. Valid as long as what it was made from: a parameter type, not a member type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <stdexcept>
#include <vector>

namespace tensorlib {

template <class T>
class ArrayRef {
 public:
  using value_type = T;
  using const_iterator = const T*;

  constexpr ArrayRef() = default;
  constexpr ArrayRef(const T& one) : data_(&one), size_(1) {}
  constexpr ArrayRef(const T* data, size_t size) : data_(data), size_(size) {}
  template <class A>
  ArrayRef(const std::vector<T, A>& values) : data_(values.data()), size_(values.size()) {}
  template <size_t N>
  constexpr ArrayRef(const std::array<T, N>& values) : data_(values.data()), size_(N) {}
  template <size_t N>
  constexpr ArrayRef(const T (&values)[N]) : data_(values), size_(N) {}
// A braced list lives until the end of the call that it is an argument of.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
#endif
  constexpr ArrayRef(const std::initializer_list<T>& values)
      : data_(values.size() == 0 ? nullptr : values.begin()), size_(values.size()) {}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

  constexpr const T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T* begin() const { return data_; }
  constexpr const T* end() const { return data_ + size_; }
  constexpr const T& operator[](size_t i) const { return data_[i]; }
  const T& at(size_t i) const {
    if (i >= size_) throw std::out_of_range("ArrayRef: index past the end");
    return data_[i];
  }
  constexpr const T& front() const { return data_[0]; }
  constexpr const T& back() const { return data_[size_ - 1]; }
  // From that place to the end, and so many from there.
  constexpr ArrayRef slice(size_t from) const { return {data_ + from, size_ - from}; }
  constexpr ArrayRef slice(size_t from, size_t count) const { return {data_ + from, count}; }
  constexpr bool equals(ArrayRef other) const {
    if (size_ != other.size_) return false;
    for (size_t i = 0; i < size_; ++i) {
      if (!(data_[i] == other.data_[i])) return false;
    }
    return true;
  }
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};

using IntArrayRef = ArrayRef<int64_t>;

template <class T>
constexpr bool operator==(ArrayRef<T> a, ArrayRef<T> b) {
  return a.equals(b);
}
template <class T>
constexpr bool operator!=(ArrayRef<T> a, ArrayRef<T> b) {
  return !a.equals(b);
}
template <class T>
bool operator==(const std::vector<T>& a, ArrayRef<T> b) {
  return b.equals(a);
}
template <class T>
bool operator==(ArrayRef<T> a, const std::vector<T>& b) {
  return a.equals(b);
}

// [2, 3]
template <class T>
std::ostream& operator<<(std::ostream& out, ArrayRef<T> values) {
  const char* separator = "[";
  for (const T& value : values) {
    out << separator << value;
    separator = ", ";
  }
  return out << (values.empty() ? "[]" : "]");
}

}  // namespace tensorlib
