#pragma once
#if __has_include(<cuda_runtime.h>)
#include <cuda_runtime.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __CUDACC__
#define XFERLINT_HOST __host__ __attribute__((const))
#define XFERLINT_EXTREME(name)                                                   \
  XFERLINT_HOST int name(int, int);                                              \
  XFERLINT_HOST unsigned name(unsigned, unsigned);                               \
  XFERLINT_HOST unsigned name(int, unsigned);                                    \
  XFERLINT_HOST unsigned name(unsigned, int);                                    \
  XFERLINT_HOST long name(long, long);                                           \
  XFERLINT_HOST unsigned long name(unsigned long, unsigned long);                \
  XFERLINT_HOST long long name(long long, long long);                            \
  XFERLINT_HOST unsigned long long name(unsigned long long, unsigned long long); \
  XFERLINT_HOST float name(float, float);                                        \
  XFERLINT_HOST double name(double, double);                                     \
  XFERLINT_HOST double name(float, double);                                      \
  XFERLINT_HOST double name(double, float);
XFERLINT_EXTREME(min)
XFERLINT_EXTREME(max)
#endif
#if CUDART_VERSION >= 13000
#define cudaThreadSynchronize cudaDeviceSynchronize
struct xferlint_cudaDeviceProp : cudaDeviceProp {
  int clockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode, memoryClockRate,
      singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch, maxTexture1DLinear;
};
#define cudaDeviceProp xferlint_cudaDeviceProp
#define cudaThreadExit cudaDeviceReset
#define cudaThreadSetCacheConfig cudaDeviceSetCacheConfig
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = 0);
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int);
#endif
#if CUDART_VERSION >= 12000
template <class T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
};
#define XFERLINT_OF_TEXTURE template <class T, int d, cudaTextureReadMode m>
XFERLINT_OF_TEXTURE
cudaError_t cudaBindTexture(size_t*, const texture<T, d, m>&, const void*, size_t = 0);
XFERLINT_OF_TEXTURE
cudaError_t cudaBindTexture(size_t*, const texture<T, d, m>&, const void*,
                            const cudaChannelFormatDesc&, size_t = 0);
XFERLINT_OF_TEXTURE
cudaError_t cudaBindTexture2D(size_t*, const texture<T, d, m>&, const void*,
                              const cudaChannelFormatDesc&, size_t, size_t, size_t);
XFERLINT_OF_TEXTURE cudaError_t cudaBindTextureToArray(const texture<T, d, m>&, const cudaArray*);
XFERLINT_OF_TEXTURE
cudaError_t cudaBindTextureToArray(const texture<T, d, m>&, const cudaArray*,
                                   const cudaChannelFormatDesc&);
XFERLINT_OF_TEXTURE cudaError_t cudaUnbindTexture(const texture<T, d, m>&);
XFERLINT_OF_TEXTURE __device__ T tex1Dfetch(texture<T, d, m>, int);
XFERLINT_OF_TEXTURE __device__ T tex1D(texture<T, d, m>, float);
XFERLINT_OF_TEXTURE __device__ T tex2D(texture<T, d, m>, float, float);
XFERLINT_OF_TEXTURE __device__ T tex3D(texture<T, d, m>, float, float, float);
#endif
#endif
