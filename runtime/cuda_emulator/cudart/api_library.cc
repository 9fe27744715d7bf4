// Libraries: device code that a program loads while it runs. A cudaLibrary_t is a Module, and so
// are the driver API's modules.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "cudart/jit_log.h"
#include "cudart/loaded_module.h"
#include "src/device_image.h"

using namespace xfer::emulator;

namespace {

Module* library_module(cudaLibrary_t library) { return reinterpret_cast<Module*>(library); }

void write_logs(const std::string& failure, const cudaJitOption* options, void** values,
                unsigned count) {
  write_jit_log("", cudaJitInfoLogBuffer, options, values, count);
  write_jit_log(failure, cudaJitErrorLogBuffer, options, values, count);
}

cudaError_t load(Session& session, cudaLibrary_t* library, std::string_view image,
                 std::string* why) {
  if (library == nullptr || image.empty()) return cudaErrorInvalidValue;
  Module* module = nullptr;
  const cudaError_t error = load_module(session, image, &module, why);
  if (error == cudaSuccess) *library = reinterpret_cast<cudaLibrary_t>(module);
  return error;
}

cudaError_t global(Session& session, void** pointer, size_t* bytes, cudaLibrary_t library,
                   const char* name, bool managed) {
  Module* const module = library_module(library);
  if (!is_loaded(module)) return cudaErrorInvalidResourceHandle;
  if (name == nullptr) return cudaErrorInvalidValue;
  const auto& variables = module->variables();
  const auto found = variables.find(name);
  if (managed && (found == variables.end() || !found->second->managed))
    return cudaErrorSymbolNotFound;
  return variable_of(session, module, name, pointer, bytes);
}

}  // namespace

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* jitOptions,
                                void** jitOptionsValues, unsigned int numJitOptions,
                                cudaLibraryOption* libraryOptions, void** libraryOptionValues,
                                unsigned int numLibraryOptions) {
  return XFER_CALL(cudaLibraryLoadData_v12060, library, code, jitOptions, jitOptionsValues,
                   numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions)
      .run([&](Session& session) {
        std::string why;
        const cudaError_t error = load(session, library, xfer::image_at(code), &why);
        write_logs(why, jitOptions, jitOptionsValues, numJitOptions);
        return error;
      });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* fileName,
                                    cudaJitOption* jitOptions, void** jitOptionsValues,
                                    unsigned int numJitOptions, cudaLibraryOption* libraryOptions,
                                    void** libraryOptionValues, unsigned int numLibraryOptions) {
  return XFER_CALL(cudaLibraryLoadFromFile_v12060, library, fileName, jitOptions, jitOptionsValues,
                   numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions)
      .run([&](Session& session) {
        if (fileName == nullptr) return cudaErrorInvalidValue;
        std::ifstream file(fileName, std::ios::binary);
        if (!file) return cudaErrorFileNotFound;
        const std::string image{std::istreambuf_iterator<char>(file), {}};
        std::string why;
        const cudaError_t error = load(session, library, image, &why);
        write_logs(why, jitOptions, jitOptionsValues, numJitOptions);
        return error;
      });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return XFER_CALL(cudaLibraryUnload_v12060, library).run([&](Session& session) {
    return unload_module(session, library_module(library));
  });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* pKernel, cudaLibrary_t library, const char* name) {
  return XFER_CALL(cudaLibraryGetKernel_v12060, pKernel, library, name).run([&](Session&) {
    Module* const module = library_module(library);
    if (!is_loaded(module)) return cudaErrorInvalidResourceHandle;
    if (pKernel == nullptr || name == nullptr) return cudaErrorInvalidValue;
    Kernel* const kernel = kernel_of(module, name);
    if (kernel == nullptr) return cudaErrorSymbolNotFound;
    *pKernel = reinterpret_cast<cudaKernel_t>(kernel);
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetGlobal(void** dptr, size_t* bytes, cudaLibrary_t library,
                                 const char* name) {
  return XFER_CALL(cudaLibraryGetGlobal_v12060, dptr, bytes, library, name)
      .run([&](Session& session) { return global(session, dptr, bytes, library, name, false); });
}

cudaError_t cudaLibraryGetManaged(void** dptr, size_t* bytes, cudaLibrary_t library,
                                  const char* name) {
  return XFER_CALL(cudaLibraryGetManaged_v12060, dptr, bytes, library, name)
      .run([&](Session& session) { return global(session, dptr, bytes, library, name, true); });
}

cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t lib) {
  return XFER_CALL(cudaLibraryGetKernelCount_v12060, count, lib).run([&](Session&) {
    if (!is_loaded(library_module(lib))) return cudaErrorInvalidResourceHandle;
    if (count == nullptr) return cudaErrorInvalidValue;
    *count = static_cast<unsigned>(library_module(lib)->kernels().size());
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int numKernels,
                                        cudaLibrary_t lib) {
  return XFER_CALL(cudaLibraryEnumerateKernels_v12060, kernels, numKernels, lib).run([&](Session&) {
    Module* const module = library_module(lib);
    if (!is_loaded(module)) return cudaErrorInvalidResourceHandle;
    if (kernels == nullptr) return cudaErrorInvalidValue;
    const std::vector<std::string> names = module->kernels();
    for (std::size_t i = 0; i < std::min<std::size_t>(numKernels, names.size()); ++i)
      kernels[i] = reinterpret_cast<cudaKernel_t>(kernel_of(module, names[i]));
    return cudaSuccess;
  });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attr, int value,
                                            int) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attr, value);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* functionPtr, const void* symbolPtr) {
  return XFER_CALL(cudaGetFuncBySymbol_v11000, functionPtr, symbolPtr).run([&](Session&) {
    Kernel* const kernel = KernelRegistry::instance().find(symbolPtr);
    if (functionPtr == nullptr) return cudaErrorInvalidValue;
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    *functionPtr = reinterpret_cast<cudaFunction_t>(kernel);
    return cudaSuccess;
  });
}
}
