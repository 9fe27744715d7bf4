// Matrix products by cuBLAS, which is found and loaded at the first one: a program without products
// never pays for it.
#pragma once

#include <cuda_runtime_api.h>

#include <mutex>
#include <unordered_map>

#include "backend/kernel_args.h"
#include "tensorlib/scalar_type.h"

struct cublasContext;

namespace tensorlib::cuda {

// One device's cuBLAS handles, one for each stream: a handle's workspace is not for two at a time.
// Calls with that device current; safe to use from several threads.
class Cublas {
 public:
  ~Cublas();
  // half (summed in float), float or double
  void gemm(ScalarType type, const GemmShape& shape, void* c, const void* a, const void* b,
            cudaStream_t stream);

 private:
  std::mutex mutex_;
  std::unordered_map<cudaStream_t, cublasContext*> handles_;
};

}  // namespace tensorlib::cuda
