// Copies that a callee makes each time round, of what does not change.

#include <cuda_runtime.h>

#include <memory>
#include <vector>

__global__ void use(const float* data, int n);

namespace {

struct Field {
  std::vector<float> values;
  float* on_device;
  int count;

  void to_device() {
    cudaMemcpy(on_device, values.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  }
};

void send(float* to, const std::vector<float>& from) {
  cudaMemcpy(to, from.data(), from.size() * sizeof(float), cudaMemcpyHostToDevice);
}

void by_function(const std::vector<float>& weights, float* to, int steps) {
  for (int step = 0; step < steps; ++step) {
    send(to, weights);  // LINT: transfer-in-loop
    use<<<1, 1>>>(to, step);
  }
}

void by_method(Field& field, int steps) {
  for (int step = 0; step < steps; ++step) {
    field.to_device();  // LINT: transfer-in-loop
    use<<<1, 1>>>(field.on_device, step);
  }
}

class Solver {
 public:
  void run(int steps) {
    for (int step = 0; step < steps; ++step) {
      field_.to_device();  // LINT: transfer-in-loop
      use<<<1, 1>>>(field_.on_device, step);
      time_ += 1;
    }
  }

 private:
  Field field_;
  int time_ = 0;
};

void by_handle(std::unique_ptr<Field> field, Solver& solver, int steps) {
  solver.run(steps);
  for (int step = 0; step < steps; ++step) {
    field->to_device();  // LINT: transfer-in-loop
    use<<<1, 1>>>(field->on_device, step);
  }
}

}  // namespace
