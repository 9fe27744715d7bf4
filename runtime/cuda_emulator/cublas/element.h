#pragma once
// The types that cuBLAS's calls name, as far as products of them are computed.

#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <optional>

#include "cublas/gemm.h"

namespace xfer::emulator {

inline std::optional<Element> element_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_32F: return Element::kFloat;
    case CUDA_R_64F: return Element::kDouble;
    case CUDA_R_16F: return Element::kHalf;
    case CUDA_R_16BF: return Element::kBfloat16;
    default: return std::nullopt;
  }
}

/// A scalar on the host, alpha or beta, whose type follows the compute type.
inline std::optional<double> scalar(const void* value, cublasComputeType_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32: return *static_cast<const float*>(value);
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: return *static_cast<const double*>(value);
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return double{__half2float(*static_cast<const __half*>(value))};
    default: return std::nullopt;
  }
}

const char* status_name(cublasStatus_t status);
const char* status_text(cublasStatus_t status);

/// One line on standard error; gives CUBLAS_STATUS_NOT_SUPPORTED.
int say_not_supported(const char* function);

}  // namespace xfer::emulator
