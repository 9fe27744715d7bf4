// Functions of the driver API by name, for programs that do not link it.

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include "cudart/api_call.h"

using namespace xfer::emulator;

namespace {

using GetProcAddress = CUresult (*)(const char*, void**, int, cuuint64_t,
                                    CUdriverProcAddressQueryResult*);

/// Of the emulated driver, which lies beside this library. Null: it is not there.
GetProcAddress driver() {
  static const auto found = [] {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    return library == nullptr
               ? nullptr
               : reinterpret_cast<GetProcAddress>(dlsym(library, "cuGetProcAddress_v2"));
  }();
  return found;
}

cudaError_t entry_point(const char* symbol, void** function, int version, unsigned long long flags,
                        cudaDriverEntryPointQueryResult* status) {
  if (symbol == nullptr || function == nullptr) return remember(cudaErrorInvalidValue);
  *function = nullptr;
  auto found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  if (const GetProcAddress get = driver()) get(symbol, function, version, flags, &found);
  if (status != nullptr) {
    *status = static_cast<cudaDriverEntryPointQueryResult>(found);
    return cudaSuccess;
  }
  return *function != nullptr ? cudaSuccess : remember(cudaErrorSymbolNotFound);
}

}  // namespace

extern "C" {

#define XFER_ENTRY_POINT(SUFFIX, FLAGS)                                                      \
  cudaError_t cudaGetDriverEntryPoint##SUFFIX(const char* symbol, void** funcPtr,            \
                                              unsigned long long flags,                      \
                                              cudaDriverEntryPointQueryResult* status) {     \
    return entry_point(symbol, funcPtr, CUDART_VERSION, flags | (FLAGS), status);            \
  }                                                                                          \
  cudaError_t cudaGetDriverEntryPointByVersion##SUFFIX(                                      \
      const char* symbol, void** funcPtr, unsigned int version, unsigned long long flags,    \
      cudaDriverEntryPointQueryResult* status) {                                             \
    return entry_point(symbol, funcPtr, static_cast<int>(version), flags | (FLAGS), status); \
  }
XFER_ENTRY_POINT(, 0)
XFER_ENTRY_POINT(_ptsz, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
}
