// The indices of Tensor::index(): for each dimension a number, a Slice, None (a new dimension of
// size 1), Ellipsis (all dimensions that the others leave), or a tensor of places or truths.
//
//   using namespace torch::indexing;
//   x.index({0, Slice(1, None), Ellipsis});   // x[0, 1:, ...] in Python
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "tensorlib/tensor.h"

namespace tensorlib::indexing {

struct EllipsisIndexType {};
inline constexpr EllipsisIndexType Ellipsis{};
inline constexpr std::nullopt_t None = std::nullopt;

// Elements start, start + step, ... before stop, counted from the end where negative.
class Slice {
 public:
  Slice(std::optional<int64_t> start = std::nullopt, std::optional<int64_t> stop = std::nullopt,
        std::optional<int64_t> step = std::nullopt)
      : start_(start), stop_(stop), step_(step.value_or(1)) {}
  std::optional<int64_t> start() const { return start_; }
  std::optional<int64_t> stop() const { return stop_; }
  int64_t step() const { return step_; }

 private:
  std::optional<int64_t> start_, stop_;
  int64_t step_;
};

class TensorIndex {
 public:
  using Kind = std::variant<std::nullopt_t, EllipsisIndexType, int64_t, Slice, Tensor>;

  TensorIndex(std::nullopt_t none) : kind_(none) {}
  TensorIndex(EllipsisIndexType ellipsis) : kind_(ellipsis) {}
  // "...", as in LibTorch: any text means Ellipsis.
  TensorIndex(const char*) : kind_(Ellipsis) {}
  template <class T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, int> = 0>
  TensorIndex(T index) : kind_(static_cast<int64_t>(index)) {}
  TensorIndex(Slice slice) : kind_(slice) {}
  TensorIndex(Tensor tensor) : kind_(std::move(tensor)) {}

  const Kind& kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace tensorlib::indexing

namespace tensorlib {

TENSORLIB_PURE inline Tensor index_put(const Tensor& self, ArrayRef<indexing::TensorIndex> indices,
                                       const Tensor& values, bool accumulate = false,
                                       CallSite site = CallSite::current()) {
  return self.index_put(indices, values, accumulate, site);
}

}  // namespace tensorlib
