// cuBLASLt is not emulated: each of its functions says so. The toolkit's own would look for a
// driver.

#include <cublasLt.h>
#include <fmt/format.h>

#include <cstdio>

extern "C" {

int xfer_emulated_cublaslt_not_supported(const char* name) {
  fmt::print(stderr, "xfercheck: {} is not emulated; it returns CUBLAS_STATUS_NOT_SUPPORTED\n",
             name);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

// What a program prints of that must be a text.
const char* cublasLtGetStatusName(cublasStatus_t status) {
  return status == CUBLAS_STATUS_SUCCESS ? "CUBLAS_STATUS_SUCCESS" : "CUBLAS_STATUS_NOT_SUPPORTED";
}
const char* cublasLtGetStatusString(cublasStatus_t status) { return cublasLtGetStatusName(status); }
}
