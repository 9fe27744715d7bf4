#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/launch.h"
#include "backend/dispatch.h"
#include "kernels/elementwise.cuh"

namespace tensorlib::cuda {

void CudaBackend::unary(UnaryOp op, ScalarType type, const Geometry<2>& geometry, void* out,
                        const void* in) {
  const DeviceScope scope(device_);
  dispatch_unary(op, [&](auto constant) {
    constexpr UnaryOp kOp = decltype(constant)::value;
    const auto run = [&](auto tag) {
      using T = typename decltype(tag)::type;
      T* const to = static_cast<T*>(out);
      const T* const from = static_cast<const T*>(in);
      if (geometry.flat()) {
        TENSORLIB_LAUNCH(geometry.numel, (to, from, geometry.numel), kernels::unary_flat<kOp, T>);
      } else {
        TENSORLIB_LAUNCH(geometry.numel, (to, from, geometry), kernels::unary_strided<kOp, T>);
      }
    };
    if constexpr (kernels::takes_integers(kOp)) {
      dispatch_numbers(type, run);
    } else {
      dispatch_floating(type, run);
    }
  });
}

}  // namespace tensorlib::cuda
