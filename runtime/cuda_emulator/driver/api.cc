// libcuda.so.1, as far as programs of the runtime API look into it: PyTorch ends where there is
// none, and asks for no more than this. The driver API itself is not emulated; its other functions
// say so, each once (stubs.cc).

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <string_view>

namespace {

// The toolkit's cuda.h gives many of these names to later versions of the functions.
using Result = int;
constexpr Result kInvalidValue = 1;
constexpr Result kNotFound = 500;

// A device has its primary context only, which programs do not look into.
void* context_of(int device) { return reinterpret_cast<void*>(std::intptr_t{device} + 1); }
int device_of(void* context) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(context)) - 1;
}

template <typename Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

extern "C" {

Result cuInit(unsigned) {
  int count = 0;
  return cudaGetDeviceCount(&count);
}
Result cuDriverGetVersion(int* version) { return cudaDriverGetVersion(version); }
Result cuGetErrorName(Result error, const char** text) {
  if (text == nullptr) return kInvalidValue;
  *text = cudaGetErrorName(static_cast<cudaError_t>(error));
  return 0;
}
Result cuGetErrorString(Result error, const char** text) {
  if (text == nullptr) return kInvalidValue;
  *text = cudaGetErrorString(static_cast<cudaError_t>(error));
  return 0;
}
Result cuDeviceGetCount(int* count) { return cudaGetDeviceCount(count); }
Result cuDeviceGet(int* device, int ordinal) {
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) return error;
  if (device == nullptr) return kInvalidValue;
  if (ordinal < 0 || ordinal >= count) return cudaErrorInvalidDevice;
  *device = ordinal;
  return 0;
}
// The runtime's attributes have the driver's numbers.
Result cuDeviceGetAttribute(int* value, int attribute, int device) {
  return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
}
Result cuDevicePrimaryCtxGetState(int, unsigned* flags, int* active) {
  if (flags == nullptr || active == nullptr) return kInvalidValue;
  *flags = 0;
  *active = 1;
  return 0;
}

Result cuDevicePrimaryCtxRetain(void** context, int device) {
  if (context == nullptr) return kInvalidValue;
  *context = context_of(device);
  return 0;
}
Result cuDevicePrimaryCtxRelease_v2(int) { return 0; }
Result cuCtxGetCurrent(void** context) {
  int device = 0;
  if (context == nullptr) return kInvalidValue;
  if (const cudaError_t error = cudaGetDevice(&device); error != cudaSuccess) return error;
  *context = context_of(device);
  return 0;
}
Result cuCtxSetCurrent(void* context) {
  return context == nullptr ? 0 : cudaSetDevice(device_of(context));
}
Result cuCtxGetDevice(int* device) { return cudaGetDevice(device); }
Result cuCtxSynchronize() { return cudaDeviceSynchronize(); }

// What is not emulated is not found, so that whoever asks takes another way.
Result cuGetProcAddress_v2(const char* symbol, void** function, int, std::uint64_t, int* status) {
  constexpr int kFound = 0;
  constexpr int kSymbolNotFound = 1;
  static const std::map<std::string_view, void*> emulated = {
      {"cuInit", address_of(cuInit)},
      {"cuDriverGetVersion", address_of(cuDriverGetVersion)},
      {"cuGetErrorName", address_of(cuGetErrorName)},
      {"cuGetErrorString", address_of(cuGetErrorString)},
      {"cuDeviceGetCount", address_of(cuDeviceGetCount)},
      {"cuDeviceGet", address_of(cuDeviceGet)},
      {"cuDeviceGetAttribute", address_of(cuDeviceGetAttribute)},
      {"cuDevicePrimaryCtxGetState", address_of(cuDevicePrimaryCtxGetState)},
      {"cuDevicePrimaryCtxRetain", address_of(cuDevicePrimaryCtxRetain)},
      {"cuDevicePrimaryCtxRelease", address_of(cuDevicePrimaryCtxRelease_v2)},
      {"cuCtxGetCurrent", address_of(cuCtxGetCurrent)},
      {"cuCtxSetCurrent", address_of(cuCtxSetCurrent)},
      {"cuCtxGetDevice", address_of(cuCtxGetDevice)},
      {"cuCtxSynchronize", address_of(cuCtxSynchronize)},
      {"cuGetProcAddress", address_of(cuGetProcAddress_v2)},
  };
  if (symbol == nullptr || function == nullptr) return kInvalidValue;
  const auto found = emulated.find(symbol);
  *function = found != emulated.end() ? found->second : nullptr;
  if (status != nullptr) *status = *function != nullptr ? kFound : kSymbolNotFound;
  return *function != nullptr ? 0 : kNotFound;
}
}
