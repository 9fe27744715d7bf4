// Tensors whose device type is part of their C++ type: an operation on operands of different
// devices does not compile.
//
//   torch::TensorOn<torch::Cuda> weight(torch::rand({4, 4}, torch::kCUDA));
//   torch::TensorOn<torch::Cpu> x(torch::rand({4, 4}));
//   auto y = x.to<torch::Cuda>().matmul(weight);   // TensorOn<Cuda>
//   auto z = x + weight;                           // error: static assertion failed: ...
//
// A TensorOn holds a Tensor and costs nothing more; tensor() gives it to any other function. The
// type says CPU or CUDA, not which CUDA device: that is checked when the operation runs.
#pragma once

#include <type_traits>
#include <utility>

#include "tensorlib/error.h"
#include "tensorlib/ops.h"
#include "tensorlib/utils.h"

namespace tensorlib {

struct Cpu {
  static constexpr DeviceType type = kCPU;
};
struct Cuda {
  static constexpr DeviceType type = kCUDA;
};

template <class OnDevice>
class TensorOn;

namespace detail {

template <class A, class B>
struct SameDevice {
  static_assert(std::is_same_v<A, B>,
                "the operands are on different devices: move one of them first, as in "
                "x.to<torch::Cuda>()");
};

}  // namespace detail

template <class OnDevice>
class TensorOn {
 public:
  // Throws where the tensor is on another device: this is the border between run time and types.
  explicit TensorOn(Tensor tensor, CallSite site = CallSite::current())
      : tensor_(std::move(tensor)) {
    if (tensor_.device().type() != OnDevice::type) {
      throw DeviceMismatchError(
          str("TensorOn: the tensor is on ", tensor_.device(), ", and its type says ",
              OnDevice::type, "\nhelp: TensorOn<...>(tensor).to<...>() moves it"),
          site);
    }
  }

  const Tensor& tensor() const& { return tensor_; }
  Tensor tensor() && { return std::move(tensor_); }
  IntArrayRef sizes() const { return tensor_.sizes(); }
  TypeMeta dtype() const { return tensor_.dtype(); }
  Device device() const { return tensor_.device(); }

  // The only way from one type to another. To the current CUDA device.
  template <class Other>
  TENSORLIB_NODISCARD("the moved tensor is the result: this tensor stays where it is")
  TensorOn<Other> to(bool non_blocking = false, CallSite site = CallSite::current()) const {
    return TensorOn<Other>(tensor_.to(Device(Other::type), dtype(), non_blocking, false, site),
                           site);
  }

  // Operations of one operand. Results are where it is.
#define TENSORLIB_UNARY_OP(name)                                            \
  TENSORLIB_PURE TensorOn name(CallSite site = CallSite::current()) const { \
    return TensorOn(tensor_.name(site), site);                              \
  }
#include "tensorlib/op_names.def"
#define TENSORLIB_TYPED(name, parameters, arguments) \
  TENSORLIB_PURE TensorOn name parameters const { return TensorOn(tensor_.name arguments, site); }
#define TENSORLIB_SITE CallSite site = CallSite::current()
  TENSORLIB_TYPED(sum, (TENSORLIB_SITE), (site))
  TENSORLIB_TYPED(mean, (TENSORLIB_SITE), (site))
  TENSORLIB_TYPED(sum, (IntArrayRef dims, bool keepdim = false, TENSORLIB_SITE),
                  (dims, keepdim, site))
  TENSORLIB_TYPED(mean, (IntArrayRef dims, bool keepdim = false, TENSORLIB_SITE),
                  (dims, keepdim, site))
  TENSORLIB_TYPED(softmax, (int64_t dim, TENSORLIB_SITE), (dim, site))
  TENSORLIB_TYPED(log_softmax, (int64_t dim, TENSORLIB_SITE), (dim, site))
  TENSORLIB_TYPED(view, (IntArrayRef sizes, TENSORLIB_SITE), (sizes, site))
  TENSORLIB_TYPED(reshape, (IntArrayRef sizes, TENSORLIB_SITE), (sizes, site))
  TENSORLIB_TYPED(t, (TENSORLIB_SITE), (site))
  TENSORLIB_TYPED(transpose, (int64_t dim0, int64_t dim1, TENSORLIB_SITE), (dim0, dim1, site))
#undef TENSORLIB_TYPED

  // Operations of two: with one of the same place, or a number.
#define TENSORLIB_BINARY_OP(name)                                                    \
  template <class Other>                                                             \
  TENSORLIB_PURE TensorOn name(const TensorOn<Other>& other, TENSORLIB_SITE) const { \
    static_cast<void>(detail::SameDevice<OnDevice, Other>());                        \
    return TensorOn(tensor_.name(other.tensor(), site), site);                       \
  }                                                                                  \
  TENSORLIB_PURE TensorOn name(Scalar other, TENSORLIB_SITE) const {                 \
    return TensorOn(tensor_.name(other, site), site);                                \
  }
#define TENSORLIB_COMPARE_OP(name) TENSORLIB_BINARY_OP(name)
#include "tensorlib/op_names.def"
#define TENSORLIB_TYPED(name)                                                        \
  template <class Other>                                                             \
  TENSORLIB_PURE TensorOn name(const TensorOn<Other>& other, TENSORLIB_SITE) const { \
    static_cast<void>(detail::SameDevice<OnDevice, Other>());                        \
    return TensorOn(tensor_.name(other.tensor(), TENSORLIB_ALPHA site), site);       \
  }
#define TENSORLIB_ALPHA
  TENSORLIB_TYPED(matmul)
  TENSORLIB_TYPED(mm)
  TENSORLIB_TYPED(bmm)
#undef TENSORLIB_ALPHA
#define TENSORLIB_ALPHA 1,
  TENSORLIB_TYPED(add)
  TENSORLIB_TYPED(sub)
#undef TENSORLIB_ALPHA
#undef TENSORLIB_TYPED
#undef TENSORLIB_SITE

 private:
  Tensor tensor_;
};

#define TENSORLIB_TYPED(symbol, name)                                                      \
  template <class A, class B>                                                              \
  TENSORLIB_PURE TensorOn<A> operator symbol(const TensorOn<A>& a, const TensorOn<B>& b) { \
    return a.name(b, CallSite::none());                                                    \
  }
TENSORLIB_TYPED(+, add)
TENSORLIB_TYPED(-, sub)
TENSORLIB_TYPED(*, mul)
TENSORLIB_TYPED(/, div)
#undef TENSORLIB_TYPED

}  // namespace tensorlib
