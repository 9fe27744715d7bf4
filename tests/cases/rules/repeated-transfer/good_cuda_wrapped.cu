#include <cuda_runtime.h>

#include <vector>

class Buffer {
 public:
  float* first() { return data_; }
  float* second() { return data_ + half_; }
  float* next() { return data_ += half_; }

 private:
  float* data_;
  int half_;
};

struct Dataset {
  float* error;
  std::vector<float> on_host;
};

__global__ void measure(float* error) { error[threadIdx.x] += 1; }

void halves(Buffer& buffer, float* out) {
  cudaMemcpy(out, buffer.first(), 64, cudaMemcpyDeviceToHost);
  cudaMemcpy(out, buffer.second(), 64, cudaMemcpyDeviceToHost);
}

void in_turn(Buffer& buffer, float* out) {
  cudaMemcpy(out, buffer.next(), 64, cudaMemcpyDeviceToHost);
  cudaMemcpy(out, buffer.next(), 64, cudaMemcpyDeviceToHost);
}

void after_next(Buffer& buffer, float* out) {
  cudaMemcpy(out, buffer.first(), 64, cudaMemcpyDeviceToHost);
  buffer.next();
  cudaMemcpy(out, buffer.first(), 64, cudaMemcpyDeviceToHost);
}

void two_of_many(std::vector<Dataset>& sets, int i, int j, float* out) {
  cudaMemcpy(out, sets[i].error, 128, cudaMemcpyDeviceToHost);
  measure<<<1, 32>>>(sets[j].error);  // may be the same
  cudaMemcpy(out, sets[i].error, 128, cudaMemcpyDeviceToHost);
}

void another_of_many(std::vector<Dataset>& sets, int i, float* out) {
  cudaMemcpy(out, sets[i].error, 128, cudaMemcpyDeviceToHost);
  ++i;
  cudaMemcpy(out, sets[i].error, 128, cudaMemcpyDeviceToHost);
}

void replaced(std::vector<Dataset>& sets, const Dataset& other, int i, float* out) {
  cudaMemcpy(out, sets[i].error, 128, cudaMemcpyDeviceToHost);
  sets[i] = other;
  cudaMemcpy(out, sets[i].error, 128, cudaMemcpyDeviceToHost);
}

void pointed_elsewhere(std::vector<Dataset>& sets, float* other, int i, float* out) {
  cudaMemcpy(out, sets[i].error, 128, cudaMemcpyDeviceToHost);
  sets[i].error = other;
  cudaMemcpy(out, sets[i].error, 128, cudaMemcpyDeviceToHost);
}

bool until_done(float* x, bool* done) {
  bool finished;
  do {
    finished = true;
    cudaMemcpy(done, &finished, sizeof(bool), cudaMemcpyHostToDevice);
    measure<<<1, 32>>>(reinterpret_cast<float*>(done));
    cudaMemcpy(&finished, done, sizeof(bool), cudaMemcpyDeviceToHost);
  } while (!finished);
  return x[0] > 0;
}

void set_between(float* x) {
  float value = 1;
  cudaMemcpy(x, &value, sizeof(float), cudaMemcpyHostToDevice);
  measure<<<1, 1>>>(x);
  value += 1;
  cudaMemcpy(x, &value, sizeof(float), cudaMemcpyHostToDevice);
}

void assign(float& value) { value = 3; }

void set_by_reference(float* x) {
  float value = 1;
  cudaMemcpy(x, &value, sizeof(float), cudaMemcpyHostToDevice);
  assign(value);
  cudaMemcpy(x, &value, sizeof(float), cudaMemcpyHostToDevice);
}
