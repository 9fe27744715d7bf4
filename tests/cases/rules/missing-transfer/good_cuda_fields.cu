// Fields that one path allocates, and that the same path fills.

#include <cuda_runtime.h>

__global__ void both(float* p, float* q) {
  p[0] = 1;
  q[0] = 1;
}

struct Model {
  float *dp, *dq, *hp, *hq;
  int n;
};

void on_one_path(Model* model, bool one) {
  if (one) {
    cudaMalloc((void**)&model->dp, model->n * sizeof(float));
    cudaMalloc((void**)&model->dq, model->n * sizeof(float));
  }
  if (one) {
    cudaMemcpy(model->dp, model->hp, sizeof(float) * model->n, cudaMemcpyHostToDevice);
    cudaMemcpy(model->dq, model->hq, sizeof(float) * model->n, cudaMemcpyHostToDevice);
    both<<<1, 1>>>(model->dp, model->dq);
    cudaMemcpy(model->hp, model->dp, sizeof(float) * model->n, cudaMemcpyDeviceToHost);
    cudaMemcpy(model->hq, model->dq, sizeof(float) * model->n, cudaMemcpyDeviceToHost);
  }
}
