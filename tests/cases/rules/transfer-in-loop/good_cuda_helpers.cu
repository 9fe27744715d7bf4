// Functions that copy something else each time round, or that must copy it again.

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <vector>

__global__ void use(const float* data, int n);
__global__ void change(float* data, int n) { data[threadIdx.x] += n; }

namespace {

void send(float* to, const float* from, std::size_t n) {
  cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyHostToDevice);
}
void fill(std::vector<float>& values, int with) {
  for (float& value : values) value = with;
}

void chunks(float* to, const float* from, int n) {
  for (int i = 0; i < 10; ++i) {
    send(to, from + i * n, n);
    use<<<1, 1>>>(to, n);
  }
}

void frames(float* to, std::vector<float>& frame, int n) {
  for (int i = 0; i < n; ++i) {
    fill(frame, i);
    send(to, frame.data(), frame.size());
    use<<<1, 1>>>(to, n);
  }
}

/// The kernel has changed what was sent.
void resets(float* to, const std::vector<float>& start, int runs) {
  for (int run = 0; run < runs; ++run) {
    send(to, start.data(), start.size());
    change<<<1, 32>>>(to, run);
  }
}

struct Simulation {
  std::vector<float> position;
  float* on_device;
  int count;

  void upload() {
    cudaMemcpy(on_device, position.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  }
  void download() {
    cudaMemcpy(position.data(), on_device, count * sizeof(float), cudaMemcpyDeviceToHost);
  }
  void on_cpu() {
    for (auto& x : position) x += 1;
  }
  void on_gpu() { change<<<1, 32>>>(on_device, count); }
  void step() {
    upload();
    on_gpu();
    download();
  }
  void steps(int n) {
    for (int i = 0; i < n; ++i) {
      on_cpu();
      upload();
      on_gpu();
      download();
    }
  }
};

void simulate(Simulation& simulation, int n) {
  for (int i = 0; i < n; ++i) simulation.step();
  for (int i = 0; i < n; ++i) {
    simulation.upload();
    use<<<1, 1>>>(simulation.on_device, 1);
    simulation.count++;
  }
}

void of_each(std::vector<std::unique_ptr<Simulation>>& all) {
  for (auto& one : all) {
    one->upload();
    use<<<1, 1>>>(one->on_device, 1);
  }
}

void one_after_another(Simulation* first, Simulation* end) {
  for (Simulation* one = first; one != end; ++one) {
    one->upload();
    use<<<1, 1>>>(one->on_device, 1);
  }
  while (first != end) {
    first->upload();
    use<<<1, 1>>>(first->on_device, 1);
    first += 2;
  }
}

/// To time the copy.
void measure(Simulation& simulation, int n) {
  for (int i = 0; i < n; ++i) simulation.upload();
}

}  // namespace
