// cuBLASLt: the product. A product that is not computed here (other types, orders, epilogues that
// keep or take more than the result) is a skipped launch, as that of a kernel without a host
// version.

#include <cuda_runtime_api.h>

#include <optional>

#include "cublas/element.h"
#include "cublas/lt_descriptors.h"

using namespace xfer::emulator;

struct cublasLtContext {};

namespace {

struct Epilogue {
  Activation activation;
  bool bias;
};

std::optional<Epilogue> epilogue_of(const cublasLtMatmulDescOpaque_t& product) {
  switch (attribute<cublasLtEpilogue_t>(&product, CUBLASLT_MATMUL_DESC_EPILOGUE)) {
    case CUBLASLT_EPILOGUE_DEFAULT: return Epilogue{Activation::kNone, false};
    case CUBLASLT_EPILOGUE_BIAS: return Epilogue{Activation::kNone, true};
    case CUBLASLT_EPILOGUE_RELU: return Epilogue{Activation::kRelu, false};
    case CUBLASLT_EPILOGUE_RELU_BIAS: return Epilogue{Activation::kRelu, true};
    case CUBLASLT_EPILOGUE_GELU: return Epilogue{Activation::kGelu, false};
    case CUBLASLT_EPILOGUE_GELU_BIAS: return Epilogue{Activation::kGelu, true};
    default: return std::nullopt;
  }
}

struct Layout {
  cudaDataType type;
  bool plain;  ///< column by column
  int rows, columns, leading, batch;
  long long stride;
};

Layout read(const cublasLtMatrixLayoutOpaque_t* layout) {
  const auto number = [&](int which) { return attribute<std::int64_t>(layout, which); };
  return {attribute<cudaDataType>(layout, CUBLASLT_MATRIX_LAYOUT_TYPE),
          attribute<cublasLtOrder_t>(layout, CUBLASLT_MATRIX_LAYOUT_ORDER) == CUBLASLT_ORDER_COL,
          static_cast<int>(number(CUBLASLT_MATRIX_LAYOUT_ROWS)),
          static_cast<int>(number(CUBLASLT_MATRIX_LAYOUT_COLS)),
          static_cast<int>(number(CUBLASLT_MATRIX_LAYOUT_LD)),
          static_cast<int>(number(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT)),
          number(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET)};
}

struct Operand {
  const void* data;
  Layout layout;
};

/// None when it is not computed here.
std::optional<Gemm> gemm_of(const cublasLtMatmulDescOpaque_t& product, const void* alpha,
                            const Operand& a, const Operand& b, const void* beta, const Operand& c,
                            void* to, const Layout& d) {
  const auto epilogue = epilogue_of(product);
  const auto compute = attribute<cublasComputeType_t>(&product, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE);
  const auto pointers =
      attribute<cublasLtPointerMode_t>(&product, CUBLASLT_MATMUL_DESC_POINTER_MODE);
  if (!epilogue || pointers != CUBLASLT_POINTER_MODE_HOST) return std::nullopt;
  const auto scale = scalar(alpha, compute);
  const auto scale_c = beta != nullptr ? scalar(beta, compute) : std::optional(0.0);
  if (!scale || !scale_c || !element_of(d.type)) return std::nullopt;
  for (const Operand* operand : {&a, &b, &c})
    if (operand->layout.type != d.type || !operand->layout.plain) return std::nullopt;
  if (!d.plain) return std::nullopt;

  Gemm gemm{};
  gemm.transa = attribute<cublasOperation_t>(&product, CUBLASLT_MATMUL_DESC_TRANSA);
  gemm.transb = attribute<cublasOperation_t>(&product, CUBLASLT_MATMUL_DESC_TRANSB);
  gemm.m = d.rows;
  gemm.n = d.columns;
  gemm.k = gemm.transa == CUBLAS_OP_N ? a.layout.columns : a.layout.rows;
  gemm.alpha = *scale;
  gemm.beta = *scale_c;
  gemm.a = a.data;
  gemm.lda = a.layout.leading;
  gemm.stride_a = a.layout.stride;
  gemm.b = b.data;
  gemm.ldb = b.layout.leading;
  gemm.stride_b = b.layout.stride;
  gemm.d = to;
  gemm.ldd = d.leading;
  gemm.stride_d = d.stride;
  gemm.batch = d.batch;
  if (*scale_c != 0 && c.data != to) {
    gemm.c = c.data;
    gemm.ldc = c.layout.leading;
    gemm.stride_c = c.layout.stride;
  }
  if (epilogue->bias)
    gemm.bias = attribute<const void*>(&product, CUBLASLT_MATMUL_DESC_BIAS_POINTER);
  gemm.activation = epilogue->activation;
  return gemm;
}

}  // namespace

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* lightHandle) {
  if (lightHandle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  *lightHandle = new cublasLtContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t lightHandle) {
  delete lightHandle;
  return CUBLAS_STATUS_SUCCESS;
}
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }

// A cuBLAS handle is a cuBLASLt handle as well: programs pass either, and neither is looked into.
cublasStatus_t cublasLtMatmul(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t computeDesc,
                              const void* alpha, const void* A, cublasLtMatrixLayout_t Adesc,
                              const void* B, cublasLtMatrixLayout_t Bdesc, const void* beta,
                              const void* C, cublasLtMatrixLayout_t Cdesc, void* D,
                              cublasLtMatrixLayout_t Ddesc, const cublasLtMatmulAlgo_t*, void*,
                              size_t, cudaStream_t stream) {
  if (lightHandle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (computeDesc == nullptr || alpha == nullptr || Adesc == nullptr || Bdesc == nullptr ||
      Cdesc == nullptr || Ddesc == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Layout d = read(Ddesc);
  const auto gemm = gemm_of(*computeDesc, alpha, {A, read(Adesc)}, {B, read(Bdesc)}, beta,
                            {C, read(Cdesc)}, D, d);
  if (gemm) return launch_gemm(*element_of(d.type), *gemm, stream);
  return launch_other_product(
      {{A, B, C, attribute<const void*>(computeDesc, CUBLASLT_MATMUL_DESC_BIAS_POINTER)},
       {D, attribute<void*>(computeDesc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER)}},
      stream);
}

const char* cublasLtGetStatusName(cublasStatus_t status) { return status_name(status); }
const char* cublasLtGetStatusString(cublasStatus_t status) { return status_text(status); }

int xfer_emulated_cublaslt_not_supported(const char* name) { return say_not_supported(name); }
}
