#pragma once
// The part of the CUDA samples' helper_cuda.h that code calls: checks of results, device choice.
#include <helper_string.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#if __has_include(<cuda_runtime.h>)
#include <cuda_runtime.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
#define DEVICE_RESET cudaDeviceReset();

template <class T>
const char* _cudaGetErrorEnum(T result);
template <class T>
void check(T result, char const* const function, const char* const file, int const line) {
  if (result) exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)

inline void __getLastCudaError(const char* message, const char* file, const int line) {
  if (cudaGetLastError() != cudaSuccess) exit(EXIT_FAILURE);
}
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
inline void __printLastCudaError(const char* message, const char* file, const int line) {
  cudaGetLastError();
}
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

inline int ftoi(float value) {
  return value >= 0 ? static_cast<int>(value + 0.5f) : static_cast<int>(value - 0.5f);
}
int _ConvertSMVer2Cores(int major, int minor);
const char* _ConvertSMVer2ArchName(int major, int minor);
int gpuDeviceInit(int device);
int gpuGetMaxGflopsDeviceId();
int findCudaDevice(int argc, const char** argv);
int findIntegratedGPU();
bool checkCudaCapabilities(int major, int minor);
#endif
