// The driver API: each kernel may write to all that it is given, in any way.

#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                   \
  if (CUresult error = (call); error != CUDA_SUCCESS) \
  std::fprintf(stderr, "%s:%d: CUDA error %d\n", __FILE__, __LINE__, error)

void launch_there(std::uint64_t address, int n);
std::uint64_t kept;

struct Parameters {
  std::uint64_t in;
  CUdeviceptr out;
  int n;
};

void read_back(const std::vector<float>& like, CUdeviceptr d) {
  std::vector<float> h(like.size());
  CHECK(cuMemcpyDtoH(h.data(), d, h.size() * sizeof(float)));
  std::printf("%f\n", h[0]);
  CHECK(cuMemFree(d));
}

void one_by_one(CUfunction kernel, const std::vector<float>& h) {
  CUdeviceptr d;
  CHECK(cuMemAlloc(&d, h.size() * sizeof(float)));
  void* parameters[1];
  parameters[0] = &d;
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  read_back(h, d);
}

void in_a_vector(CUfunction kernel, const std::vector<float>& h) {
  CUdeviceptr d;
  CHECK(cuMemAlloc(&d, h.size() * sizeof(float)));
  std::vector<void*> parameters;
  parameters.push_back(&d);
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters.data(), nullptr));
  read_back(h, d);
}

void in_a_buffer(CUfunction kernel, const std::vector<float>& h) {
  CUdeviceptr d;
  CHECK(cuMemAlloc(&d, h.size() * sizeof(float)));
  char buffer[16];
  std::memcpy(buffer, &d, sizeof d);
  std::size_t bytes = sizeof d;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  read_back(h, d);
}

void in_an_object(CUfunction kernel, const std::vector<float>& h) {
  CUdeviceptr d, e;
  CHECK(cuMemAlloc(&d, h.size() * sizeof(float)));
  CHECK(cuMemAlloc(&e, h.size() * sizeof(float)));
  Parameters given;
  given.in = d;
  given.out = e;
  void* parameters[] = {&given};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  read_back(h, d);
  read_back(h, e);
}

void in_a_list(CUfunction kernel, const std::vector<float>& h) {
  CUdeviceptr d, e;
  CHECK(cuMemAlloc(&d, h.size() * sizeof(float)));
  CHECK(cuMemAlloc(&e, h.size() * sizeof(float)));
  Parameters given{d, e, static_cast<int>(h.size())};
  void* parameters[] = {&given};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  read_back(h, d);
  read_back(h, e);
}

void as_a_number(const std::vector<float>& h) {
  CUdeviceptr d, e, f;
  CHECK(cuMemAlloc(&d, h.size() * sizeof(float)));
  CHECK(cuMemAlloc(&e, h.size() * sizeof(float)));
  CHECK(cuMemAlloc(&f, h.size() * sizeof(float)));
  launch_there(d, 1);
  kept = e;
  std::uint64_t number = f;
  launch_there(number, 1);
  read_back(h, d);
  read_back(h, e);
  read_back(h, f);
}
