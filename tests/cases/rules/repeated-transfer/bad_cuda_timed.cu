// The clock times other code: both copies are on the same side of it, or the second one comes
// after all that is timed.

#include <cuda_runtime.h>
#include <time.h>

__global__ void add_all(const float* in, float* out) { out[threadIdx.x] += in[threadIdx.x]; }

float both_in_one(const float* h, float* d, float* out, cudaEvent_t start, cudaEvent_t stop) {
  float took = 0;
  cudaEventRecord(start);
  cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);
  cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);  // LINT: repeated-transfer
  cudaEventRecord(stop);
  add_all<<<1, 32>>>(d, out);
  cudaEventSynchronize(stop);
  cudaEventElapsedTime(&took, start, stop);
  return took;
}

clock_t the_kernel(const float* h, float* d, float* out) {
  const clock_t start = clock();
  cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);
  add_all<<<1, 32>>>(d, out);
  cudaDeviceSynchronize();
  const clock_t took = clock() - start;
  add_all<<<1, 32>>>(d, out);
  cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);  // LINT: repeated-transfer
  add_all<<<1, 32>>>(d, out);
  return took;
}

// An event that is recorded for another stream to wait for is no clock.
static void upload(float* d, const float* h, cudaEvent_t uploaded) {
  cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);
  cudaEventRecord(uploaded);
}

void by_a_helper(const float* h, float* d, float* out, cudaEvent_t uploaded) {
  upload(d, h, uploaded);
  add_all<<<1, 32>>>(d, out);
  upload(d, h, uploaded);  // LINT: repeated-transfer
  add_all<<<1, 32>>>(d, out);
}

// A function that only has time in its name is no clock.
float now = 0;
void end_time_step(float dt) { now += dt; }

void simulate(const float* h, float* d, float* out) {
  cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);
  add_all<<<1, 32>>>(d, out);
  end_time_step(0.1F);
  cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);  // LINT: repeated-transfer
  end_time_step(0.1F);
  add_all<<<1, 32>>>(d, out);
}

// The timed code ends before the copies.
clock_t something_else(float* h, float* d, float* out) {
  const clock_t start = clock();
  for (int i = 0; i < 256; ++i) h[i] = i;
  const clock_t took = clock() - start;
  cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);
  cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);  // LINT: repeated-transfer
  add_all<<<1, 32>>>(d, out);
  return took;
}
