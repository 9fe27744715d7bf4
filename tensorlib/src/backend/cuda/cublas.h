// Matrix products by cuBLAS, which is found and loaded at the first one: a program without products
// never pays for it.
#pragma once

#include <cuda_runtime_api.h>

#include <mutex>

#include "backend/kernel_args.h"
#include "tensorlib/scalar_type.h"

struct cublasContext;

namespace tensorlib::cuda {

// One device's cuBLAS handle. Calls with that device current; safe to use from several threads.
class Cublas {
 public:
  ~Cublas();
  // half (summed in float), float or double
  void gemm(ScalarType type, const GemmShape& shape, void* c, const void* a, const void* b,
            cudaStream_t stream);

 private:
  std::mutex mutex_;
  cublasContext* handle_ = nullptr;
};

}  // namespace tensorlib::cuda
