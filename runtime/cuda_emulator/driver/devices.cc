// The driver itself, and its devices.

#include <cudaProfiler.h>
#include <cuda_profiler_api.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "driver/driver.h"
#include "machine/say.h"

namespace xfer::emulator::driver {

bool is_emulated() {
  if (xfer_emulator_exchange_last_error != nullptr) return true;
  static std::atomic<bool> said{false};
  if (!said.exchange(true))
    say("xfercheck: the emulated driver has no devices: another libcudart.so.13 was loaded before "
        "the emulated one; start the program with xfertrace --emulate\n");
  return false;
}

}  // namespace xfer::emulator::driver

using namespace xfer::emulator::driver;

extern "C" {

CUresult cuInit(unsigned int Flags) {
  int count = 0;
  if (Flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return forward([&] { return cudaGetDeviceCount(&count); });
}

CUresult cuDriverGetVersion(int* driverVersion) {
  return forward([&] { return cudaDriverGetVersion(driverVersion); });
}

CUresult cuDeviceGetCount(int* count) {
  return forward([&] { return cudaGetDeviceCount(count); });
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  int count = 0;
  if (const CUresult error = cuDeviceGetCount(&count); error != CUDA_SUCCESS) return error;
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (ordinal < 0 || ordinal >= count) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int len, CUdevice dev) {
  if (name == nullptr || len <= 0) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceProp its{};
  const CUresult error = forward([&] { return cudaGetDeviceProperties(&its, dev); });
  if (error != CUDA_SUCCESS) return error;
  const std::size_t length = std::min(std::strlen(its.name), static_cast<std::size_t>(len) - 1);
  std::memcpy(name, its.name, length);
  name[length] = '\0';
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice dev) {
  if (uuid == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceProp its{};
  const CUresult error = forward([&] { return cudaGetDeviceProperties(&its, dev); });
  if (error == CUDA_SUCCESS) *uuid = its.uuid;
  return error;
}

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice dev) {
  if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceProp its{};
  const CUresult error = forward([&] { return cudaGetDeviceProperties(&its, dev); });
  if (error == CUDA_SUCCESS) *bytes = its.totalGlobalMem;
  return error;
}

// The runtime's attributes have the driver's numbers.
CUresult cuDeviceGetAttribute(int* pi, CUdevice_attribute attrib, CUdevice dev) {
  return forward(
      [&] { return cudaDeviceGetAttribute(pi, static_cast<cudaDeviceAttr>(attrib), dev); });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice dev) {
  const CUresult error =
      cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, dev);
  if (error != CUDA_SUCCESS) return error;
  return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, dev);
}

CUresult cuDeviceGetPCIBusId(char* pciBusId, int len, CUdevice dev) {
  return forward([&] { return cudaDeviceGetPCIBusId(pciBusId, len, dev); });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* dev, const char* pciBusId) {
  return forward([&] { return cudaDeviceGetByPCIBusId(dev, pciBusId); });
}

CUresult cuDeviceCanAccessPeer(int* canAccessPeer, CUdevice dev, CUdevice peerDev) {
  return forward([&] { return cudaDeviceCanAccessPeer(canAccessPeer, dev, peerDev); });
}

CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attrib, CUdevice srcDevice,
                                 CUdevice dstDevice) {
  return forward([&] {
    return cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attrib), srcDevice,
                                     dstDevice);
  });
}

CUresult cuProfilerStart() { return forward(cudaProfilerStart); }
CUresult cuProfilerStop() { return forward(cudaProfilerStop); }
}
