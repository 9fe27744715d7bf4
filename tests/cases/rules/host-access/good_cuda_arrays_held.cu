// An array of pointers is on the host, wherever these point, and whoever holds it.

#include <cuda_runtime.h>

template <int N>
struct Outputs {
  float* all[N];
};
template <int N>
__global__ void fill(Outputs<N> outputs) {
  for (int i = 0; i < N; ++i) outputs.all[i][threadIdx.x] = 1;
}

struct Dispatch {
  float** outputs;

  template <int N>
  void run() {
    Outputs<N> given;
    for (int i = 0; i < N; ++i) given.all[i] = outputs[i];
    fill<N><<<1, 32>>>(given);
  }
};

void one(float* host, int n) {
  float* data;
  cudaMalloc(&data, n);
  float* all[1] = {data};
  Dispatch dispatch{all};
  dispatch.run<1>();
  cudaMemcpy(host, data, n, cudaMemcpyDeviceToHost);
  cudaFree(data);
}
