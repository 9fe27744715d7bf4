#include <cuda_runtime.h>

struct Params {
  int n;
  float scale;
};

__global__ void run(const Params* params, float* out) { out[0] += params->scale * params->n; }

void another_scale(float* out, Params* on_device, int steps) {
  Params params = {1, 2};
  for (int step = 0; step < steps; ++step) {
    params.scale = step;
    cudaMemcpy(on_device, &params, sizeof(Params), cudaMemcpyHostToDevice);
    run<<<1, 1>>>(on_device, out);
  }
}

void adapt(Params* params) { params->scale /= 2; }

void by_a_helper(float* out, Params* on_device, int steps) {
  Params params = {1, 2};
  for (int step = 0; step < steps; ++step) {
    cudaMemcpy(on_device, &params, sizeof(Params), cudaMemcpyHostToDevice);
    run<<<1, 1>>>(on_device, out);
    adapt(&params);
  }
}

void by_a_lambda(float* out, Params* on_device, int steps) {
  Params params = {1, 2};
  auto halve = [&] { params.scale /= 2; };
  for (int step = 0; step < steps; ++step) {
    cudaMemcpy(on_device, &params, sizeof(Params), cudaMemcpyHostToDevice);
    run<<<1, 1>>>(on_device, out);
    halve();
  }
}
