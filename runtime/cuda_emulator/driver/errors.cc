// The driver's errors by name. The texts are those of the runtime, whose numbers are the same.

#include "driver/driver.h"

namespace {

const char* name_of(CUresult error) {
  switch (error) {
#define XFER_DRIVER_ERROR(NAME) \
  case NAME: return #NAME;
#include "emulator_driver_errors.inc"
#undef XFER_DRIVER_ERROR
    default: return nullptr;
  }
}

}  // namespace

extern "C" {

CUresult cuGetErrorName(CUresult error, const char** pStr) {
  if (pStr == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pStr = name_of(error);
  return *pStr != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char** pStr) {
  if (pStr == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pStr = name_of(error);
  if (*pStr == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pStr = cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}
}
