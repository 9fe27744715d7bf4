// A field's temporary value, which no other code can see, does not count.

#include <torch/torch.h>

#include <string>
#include <vector>

class Filter {
 public:
  explicit Filter(torch::Device where) : device(where) {}
  void reset(int64_t size) {
    state = torch::zeros({size});
    state = state.to(device);
  }
  void start(const std::vector<int64_t>& sizes) {
    weights = torch::ones({8});
    for (int64_t size : sizes) weights = torch::ones({size});
    weights = weights.to(device);
  }
  torch::Tensor step() {
    auto next = state + torch::ones({8});  // LINT: missing-transfer
    return next;
  }
  torch::Tensor weigh() {
    return weights * torch::ones({8});  // LINT: missing-transfer
  }

 private:
  torch::Device device;
  torch::Tensor state, weights;
};

// Reading it from a file is one way, and an exception that leaves it half done is no other.
class Saved {
 public:
  explicit Saved(torch::Device where) : device(where) {}
  bool load(const std::string& file) {
    try {
      torch::load(values, file);
      values = values.to(device);
    } catch (const c10::Error&) {
      return false;
    }
    return true;
  }
  torch::Tensor scaled() {
    return values * torch::ones({8});  // LINT: missing-transfer
  }

 private:
  torch::Device device;
  torch::Tensor values;
};

int main(int argc, char** argv) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Filter filter(device);
  filter.reset(8);
  filter.start({8, 8});
  filter.step();
  filter.weigh();
  Saved saved(device);
  saved.load(argv[1]);
  saved.scaled();
  return 0;
}
