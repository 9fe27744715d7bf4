// What the CUDA toolkit and the standard library declare of memory: for the engine's tests of code
// that uses the CUDA runtime.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
using size_t = decltype(sizeof(0));

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1);
};
struct uint3 {
  unsigned x, y, z;
};
extern const __device__ uint3 threadIdx;
typedef struct CUstream_st* cudaStream_t;
enum cudaError_t { cudaSuccess = 0, cudaErrorUnknown = 999 };
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
extern "C" {
int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t cudaMalloc(void**, size_t);
cudaError_t cudaMallocHost(void**, size_t);
cudaError_t cudaMallocManaged(void**, size_t, unsigned = 1);
cudaError_t cudaHostRegister(void*, size_t, unsigned);
cudaError_t cudaFree(void*);
cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void*, const void*, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemset(void*, int, size_t);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaGetLastError();
const char* cudaGetErrorString(cudaError_t);
int printf(const char*, ...);
void exit(int) __attribute__((noreturn));
void* malloc(size_t);
void free(void*);
void* memset(void*, int, size_t);
void* memcpy(void*, const void*, size_t);
size_t fread(void*, size_t, size_t, void*);
}
template <class T>
cudaError_t cudaMalloc(T** p, size_t n) {
  return ::cudaMalloc((void**)(void*)p, n);
}
template <class T>
cudaError_t cudaMallocHost(T** p, size_t n) {
  return ::cudaMallocHost((void**)(void*)p, n);
}
template <class T>
cudaError_t cudaMallocManaged(T** p, size_t n, unsigned f = 1) {
  return ::cudaMallocManaged((void**)(void*)p, n, f);
}

namespace std {
using size_t = ::size_t;
template <class T>
class allocator {};
template <class T, class A = allocator<T>>
class vector {
 public:
  vector();
  explicit vector(size_t);
  vector(const vector&);
  vector(const T*, const T*);
  ~vector();
  T* data();
  const T* data() const;
  T& operator[](size_t);
  const T& operator[](size_t) const;
  T* begin();
  T* end();
  const T* begin() const;
  const T* end() const;
  size_t size() const;
  void push_back(const T&);
  void resize(size_t);
};
template <class T>
void swap(T&, T&);
template <class I, class T>
void fill(I, I, const T&);
}  // namespace std

#define CHECK(call)                            \
  do {                                         \
    cudaError_t error = (call);                \
    if (error != cudaSuccess) {                \
      printf("%s", cudaGetErrorString(error)); \
      exit(1);                                 \
    }                                          \
  } while (0)
