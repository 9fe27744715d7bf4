#include "backend/cuda/cublas.h"
#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/launch.h"
#include "backend/dispatch.h"
#include "kernels/gemm.cuh"

namespace tensorlib::cuda {

void CudaBackend::gemm(ScalarType type, const GemmShape& shape, void* c, const void* a,
                       const void* b) {
  const DeviceScope scope(device_);
  if (isFloatingType(type)) {
    cublas_->gemm(type, shape, c, a, b, stream());
    return;
  }
  dispatch_numbers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T>) {
      TENSORLIB_LAUNCH(
          shape.batch * shape.m * shape.n,
          (static_cast<T*>(c), static_cast<const T*>(a), static_cast<const T*>(b), shape),
          kernels::integer_gemm<T>);
    }
  });
}

}  // namespace tensorlib::cuda
