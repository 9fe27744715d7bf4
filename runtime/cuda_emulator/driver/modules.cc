// Modules and libraries, which are one here: the runtime's cudaLibrary_t.

#include "driver/driver.h"

using namespace xfer::emulator::driver;

namespace {

CUlibrary library_of(CUmodule module) { return reinterpret_cast<CUlibrary>(module); }

CUresult load(CUlibrary* library, const void* image, unsigned count, CUjit_option* options,
              void** values) {
  return forward([&] {
    return cudaLibraryLoadData(library, image, reinterpret_cast<cudaJitOption*>(options), values,
                               count, nullptr, nullptr, 0);
  });
}

CUresult load_file(CUlibrary* library, const char* path, unsigned count, CUjit_option* options,
                   void** values) {
  return forward([&] {
    return cudaLibraryLoadFromFile(library, path, reinterpret_cast<cudaJitOption*>(options), values,
                                   count, nullptr, nullptr, 0);
  });
}

CUresult global(CUdeviceptr* address, size_t* bytes, CUlibrary library, const char* name,
                cudaError_t (*find)(void**, size_t*, cudaLibrary_t, const char*)) {
  void* found = nullptr;
  const CUresult error = forward([&] { return find(&found, bytes, library, name); });
  if (error == CUDA_SUCCESS && address != nullptr) *address = reinterpret_cast<CUdeviceptr>(found);
  return error;
}

}  // namespace

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char* fname) {
  return load_file(reinterpret_cast<CUlibrary*>(module), fname, 0, nullptr, nullptr);
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return load(reinterpret_cast<CUlibrary*>(module), image, 0, nullptr, nullptr);
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int numOptions,
                            CUjit_option* options, void** optionValues) {
  return load(reinterpret_cast<CUlibrary*>(module), image, numOptions, options, optionValues);
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* fatCubin) {
  return load(reinterpret_cast<CUlibrary*>(module), fatCubin, 0, nullptr, nullptr);
}
CUresult cuModuleUnload(CUmodule hmod) {
  return forward([&] { return cudaLibraryUnload(library_of(hmod)); });
}
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  if (mode == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *mode = CU_MODULE_LAZY_LOADING;  // a kernel is translated when it is first needed
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name) {
  return forward([&] {
    return cudaLibraryGetKernel(reinterpret_cast<cudaKernel_t*>(hfunc), library_of(hmod), name);
  });
}
CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule mod) {
  return forward([&] { return cudaLibraryGetKernelCount(count, library_of(mod)); });
}
CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int numFunctions,
                                    CUmodule mod) {
  return forward([&] {
    return cudaLibraryEnumerateKernels(reinterpret_cast<cudaKernel_t*>(functions), numFunctions,
                                       library_of(mod));
  });
}
CUresult cuModuleGetGlobal(CUdeviceptr* dptr, size_t* bytes, CUmodule hmod, const char* name) {
  return global(dptr, bytes, library_of(hmod), name, cudaLibraryGetGlobal);
}

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* jitOptions,
                           void** jitOptionsValues, unsigned int numJitOptions, CUlibraryOption*,
                           void**, unsigned int) {
  return load(library, code, numJitOptions, jitOptions, jitOptionsValues);
}
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* fileName, CUjit_option* jitOptions,
                               void** jitOptionsValues, unsigned int numJitOptions,
                               CUlibraryOption*, void**, unsigned int) {
  return load_file(library, fileName, numJitOptions, jitOptions, jitOptionsValues);
}
CUresult cuLibraryUnload(CUlibrary library) {
  return forward([&] { return cudaLibraryUnload(library); });
}
CUresult cuLibraryGetModule(CUmodule* pMod, CUlibrary library) {
  if (pMod == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pMod = reinterpret_cast<CUmodule>(library);
  return CUDA_SUCCESS;
}
CUresult cuLibraryGetKernel(CUkernel* pKernel, CUlibrary library, const char* name) {
  return forward([&] { return cudaLibraryGetKernel(pKernel, library, name); });
}
CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary lib) {
  return forward([&] { return cudaLibraryGetKernelCount(count, lib); });
}
CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int numKernels, CUlibrary lib) {
  return forward([&] { return cudaLibraryEnumerateKernels(kernels, numKernels, lib); });
}
CUresult cuLibraryGetGlobal(CUdeviceptr* dptr, size_t* bytes, CUlibrary library, const char* name) {
  return global(dptr, bytes, library, name, cudaLibraryGetGlobal);
}
CUresult cuLibraryGetManaged(CUdeviceptr* dptr, size_t* bytes, CUlibrary library,
                             const char* name) {
  return global(dptr, bytes, library, name, cudaLibraryGetManaged);
}
}
