// Other functions change what global pointers point to.

#include <cuda_runtime.h>

__global__ void use_global(const float* data);
__global__ void change_global(float* data) { data[threadIdx.x] += 1; }

float* global_data;
static float* local_data;
struct Globals {
  float *on_device, *on_host;
};
static Globals globals;

static void change_one() { change_global<<<1, 32>>>(global_data); }
static void change_other() { change_global<<<1, 32>>>(local_data); }
static void change_field() { change_global<<<1, 32>>>(globals.on_device); }
static void fill_host() {
  for (int i = 0; i < 8; ++i) globals.on_host[i] = i;
}

void of_globals(const float* from) {
  cudaMemcpy(global_data, from, 64, cudaMemcpyHostToDevice);
  change_one();
  cudaMemcpy(global_data, from, 64, cudaMemcpyHostToDevice);
  use_global<<<1, 32>>>(global_data);
  cudaMemcpy(local_data, from, 64, cudaMemcpyHostToDevice);
  change_other();
  cudaMemcpy(local_data, from, 64, cudaMemcpyHostToDevice);
  use_global<<<1, 32>>>(local_data);
}

void of_fields(const float* from) {
  cudaMemcpy(globals.on_device, from, 64, cudaMemcpyHostToDevice);
  change_field();
  cudaMemcpy(globals.on_device, from, 64, cudaMemcpyHostToDevice);
  use_global<<<1, 32>>>(globals.on_device);
  cudaMemcpy(globals.on_device, globals.on_host, 64, cudaMemcpyHostToDevice);
  use_global<<<1, 32>>>(globals.on_device);
  fill_host();
  cudaMemcpy(globals.on_device, globals.on_host, 64, cudaMemcpyHostToDevice);
  use_global<<<1, 32>>>(globals.on_device);
}
