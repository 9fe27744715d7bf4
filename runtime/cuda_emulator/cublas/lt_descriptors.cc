// cuBLASLt: the objects that describe a product, and what can be asked about it.

#include "cublas/lt_descriptors.h"

#include "cublas/element.h"

using namespace xfer::emulator;

namespace {

template <typename Opaque>
cublasStatus_t set(Opaque* descriptor, int number, const void* value, std::size_t bytes) {
  if (descriptor == nullptr || value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  std::uint64_t* const to = slot(descriptor, number);
  if (to == nullptr || bytes > sizeof(*to)) return CUBLAS_STATUS_NOT_SUPPORTED;
  *to = 0;
  std::memcpy(to, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

template <typename Opaque>
cublasStatus_t get(Opaque* descriptor, int number, void* value, std::size_t bytes,
                   std::size_t* written) {
  const std::uint64_t* const from = slot(descriptor, number);
  if (from == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (value != nullptr) std::memcpy(value, from, bytes < sizeof(*from) ? bytes : sizeof(*from));
  if (written != nullptr) *written = bytes != 0 ? bytes : sizeof(*from);
  return CUBLAS_STATUS_SUCCESS;
}

template <typename Opaque>
void put(Opaque* descriptor, int number, std::uint64_t value) {
  descriptor->data[number] = value;
}

void begin(cublasLtMatmulDescOpaque_t* descriptor, cublasComputeType_t compute,
           cudaDataType_t scale) {
  *descriptor = {};
  put(descriptor, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, static_cast<std::uint64_t>(compute));
  put(descriptor, CUBLASLT_MATMUL_DESC_SCALE_TYPE, static_cast<std::uint64_t>(scale));
  put(descriptor, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_DEFAULT);
}

void begin(cublasLtMatrixLayoutOpaque_t* layout, cudaDataType type, std::uint64_t rows,
           std::uint64_t columns, std::int64_t leading) {
  *layout = {};
  put(layout, CUBLASLT_MATRIX_LAYOUT_TYPE, static_cast<std::uint64_t>(type));
  put(layout, CUBLASLT_MATRIX_LAYOUT_ROWS, rows);
  put(layout, CUBLASLT_MATRIX_LAYOUT_COLS, columns);
  put(layout, CUBLASLT_MATRIX_LAYOUT_LD, static_cast<std::uint64_t>(leading));
  put(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 1);
}

}  // namespace

extern "C" {

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t matmulDesc, size_t size,
                                               cublasComputeType_t computeType,
                                               cudaDataType_t scaleType) {
  if (matmulDesc == nullptr || size < sizeof(*matmulDesc)) return CUBLAS_STATUS_INVALID_VALUE;
  begin(matmulDesc, computeType, scaleType);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* matmulDesc,
                                        cublasComputeType_t computeType, cudaDataType_t scaleType) {
  if (matmulDesc == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *matmulDesc = new cublasLtMatmulDescOpaque_t;
  begin(*matmulDesc, computeType, scaleType);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t matmulDesc) {
  delete matmulDesc;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t matmulDesc,
                                              cublasLtMatmulDescAttributes_t attr, const void* buf,
                                              size_t sizeInBytes) {
  return set(matmulDesc, attr, buf, sizeInBytes);
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t matmulDesc,
                                              cublasLtMatmulDescAttributes_t attr, void* buf,
                                              size_t sizeInBytes, size_t* sizeWritten) {
  return get(matmulDesc, attr, buf, sizeInBytes, sizeWritten);
}

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t matLayout, size_t size,
                                                 cudaDataType type, uint64_t rows, uint64_t cols,
                                                 int64_t ld) {
  if (matLayout == nullptr || size < sizeof(*matLayout)) return CUBLAS_STATUS_INVALID_VALUE;
  begin(matLayout, type, rows, cols, ld);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* matLayout, cudaDataType type,
                                          uint64_t rows, uint64_t cols, int64_t ld) {
  if (matLayout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *matLayout = new cublasLtMatrixLayoutOpaque_t;
  begin(*matLayout, type, rows, cols, ld);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t matLayout) {
  delete matLayout;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t matLayout,
                                                cublasLtMatrixLayoutAttribute_t attr,
                                                const void* buf, size_t sizeInBytes) {
  return set(matLayout, attr, buf, sizeInBytes);
}
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t matLayout,
                                                cublasLtMatrixLayoutAttribute_t attr, void* buf,
                                                size_t sizeInBytes, size_t* sizeWritten) {
  return get(matLayout, attr, buf, sizeInBytes, sizeWritten);
}

// Preferences are between algorithms, of which there is one.
cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t pref, size_t size) {
  if (pref == nullptr || size < sizeof(*pref)) return CUBLAS_STATUS_INVALID_VALUE;
  *pref = {};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* pref) {
  if (pref == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *pref = new cublasLtMatmulPreferenceOpaque_t{};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t pref) {
  delete pref;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                    cublasLtMatmulPreferenceAttributes_t,
                                                    const void*, size_t) {
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              cublasLtMatmulPreference_t, int requestedAlgoCount,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int* returnAlgoCount) {
  if (requestedAlgoCount < 1 || results == nullptr || returnAlgoCount == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  results[0] = {};
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].wavesCount = 1;
  *returnAlgoCount = 1;
  return CUBLAS_STATUS_SUCCESS;
}
}
