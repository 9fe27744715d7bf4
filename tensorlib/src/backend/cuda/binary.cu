#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/launch.h"
#include "backend/dispatch.h"
#include "kernels/elementwise.cuh"

namespace tensorlib::cuda {

namespace {

template <BinaryOp op, class T>
void run(cudaStream_t on, const Geometry<3>& geometry, void* out, const Input& a, const Input& b,
         Scalar alpha) {
  using C = kernels::Compute<T>;
  const auto stream = [on] { return on; };
  using R = std::conditional_t<is_comparison(op), bool, T>;
  R* const to = static_cast<R*>(out);
  const T* const left = static_cast<const T*>(a.data);
  const T* const right = static_cast<const T*>(b.data);
  const C factor = alpha.to<C>();
  const int64_t n = geometry.numel;
  const bool number_first = left == nullptr;
  const C number = (number_first ? a : b).number.template to<C>();
  // A number's strides say nothing: it has no memory.
  const bool flat = geometry.ndim == 0 || (geometry.ndim == 1 && geometry.strides[0][0] == 1 &&
                                           (left == nullptr || geometry.strides[1][0] == 1) &&
                                           (right == nullptr || geometry.strides[2][0] == 1));
  if (!flat) {
    TENSORLIB_LAUNCH(n, (to, left, right, number, geometry, factor),
                     kernels::binary_strided<op, T, R, C>);
  } else if (left != nullptr && right != nullptr) {
    TENSORLIB_LAUNCH(n, (to, left, right, n, factor), kernels::binary_flat<op, T, R, C>);
  } else {
    TENSORLIB_LAUNCH(n, (to, number_first ? right : left, number, number_first, n, factor),
                     kernels::binary_number<op, T, R, C>);
  }
}

}  // namespace

void CudaBackend::binary(BinaryOp op, ScalarType type, const Geometry<3>& geometry, void* out,
                         Input a, Input b, Scalar alpha) {
  const DeviceScope scope(device_);
  dispatch_binary(op, [&](auto constant) {
    constexpr BinaryOp kOp = decltype(constant)::value;
    const auto launch = [&](auto tag) {
      run<kOp, typename decltype(tag)::type>(stream(), geometry, out, a, b, alpha);
    };
    if constexpr (is_floating_only(kOp)) {
      dispatch_floating(type, launch);
    } else if constexpr (is_integer_only(kOp)) {
      dispatch_integers(type, launch);
    } else {
      dispatch_all(type, launch);
    }
  });
}

void CudaBackend::where(ScalarType type, const Geometry<4>& geometry, void* out, const bool* chosen,
                        Input a, Input b) {
  const DeviceScope scope(device_);
  dispatch_all(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    using C = kernels::Compute<T>;
    TENSORLIB_LAUNCH(geometry.numel,
                     (static_cast<T*>(out), chosen, static_cast<const T*>(a.data),
                      static_cast<const T*>(b.data), a.number.to<C>(), b.number.to<C>(), geometry),
                     kernels::where<T, C>);
  });
}

}  // namespace tensorlib::cuda
