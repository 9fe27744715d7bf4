// TensorData: what tensor(...) accepts: one number, a nested braced list of numbers, or a vector of
// them.
#pragma once

#include <initializer_list>
#include <type_traits>
#include <vector>

#include "tensorlib/array_ref.h"
#include "tensorlib/scalar.h"

namespace tensorlib::detail {

// The values in order, their shape and their type (that of the first value). Lists that are not
// rectangular, or mix types, are an Error of tensor().
class TensorData {
 public:
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  TensorData(T value) : type_(Scalar(value).type()), values_{Scalar(value)} {}
  TensorData(std::initializer_list<TensorData> rows) {
    sizes_.push_back(static_cast<int64_t>(rows.size()));
    bool first = true;
    for (const TensorData& row : rows) {
      if (first) {
        sizes_.insert(sizes_.end(), row.sizes_.begin(), row.sizes_.end());
        type_ = row.type_;
        first = false;
      }
      rectangular_ = rectangular_ && row.rectangular_ &&
                     std::vector<int64_t>(sizes_.begin() + 1, sizes_.end()) == row.sizes_;
      same_type_ = same_type_ && row.same_type_ && row.type_ == type_;
      values_.insert(values_.end(), row.values_.begin(), row.values_.end());
    }
  }
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  TensorData(const std::vector<T>& values)
      : sizes_{static_cast<int64_t>(values.size())},
        type_(Scalar(T{}).type()),
        values_(values.begin(), values.end()) {}
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  TensorData(ArrayRef<T> values) : TensorData(values.vec()) {}

  const std::vector<int64_t>& sizes() const { return sizes_; }
  const std::vector<Scalar>& values() const { return values_; }
  ScalarType type() const { return type_; }
  bool rectangular() const { return rectangular_; }
  bool same_type() const { return same_type_; }

 private:
  std::vector<int64_t> sizes_;
  ScalarType type_ = ScalarType::Double;
  bool rectangular_ = true;
  bool same_type_ = true;
  std::vector<Scalar> values_;
};

}  // namespace tensorlib::detail
