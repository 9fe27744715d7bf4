// A field that others may find where it is for a while, or on one way only.

#include <torch/torch.h>

#include <functional>
#include <vector>

class Filter {
 public:
  explicit Filter(torch::Device where) : device(where) {}
  // The same class looks in between.
  void reset() {
    state = torch::zeros({8});
    check();
    state = state.to(device);
  }
  void check() { state + torch::ones({8}); }
  // One way goes past the move.
  void start(bool small) {
    weights = torch::ones({8});
    if (!small) weights = weights.to(device);
  }
  void weigh() { weights * torch::ones({8}); }
  // Code that is given a function may run it at once.
  void each(const std::function<void(std::function<void()>)>& run) {
    mask = torch::ones({8});
    run([this] { mask * torch::ones({8}); });
    mask = mask.to(device);
  }

 private:
  torch::Device device;
  torch::Tensor state, weights, mask;
};

// Two objects: one keeps what the other gets.
struct Pair {
  torch::Tensor first, second;
};
void fill(Pair& one, Pair& other, torch::Device device) {
  one.first = torch::ones({8});
  other.first = torch::ones({8}, device);
  one.first + torch::ones({8});
}

int main() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Filter filter(device);
  filter.reset();
  filter.start(true);
  filter.weigh();
  filter.each([](const std::function<void()>& task) { task(); });
  Pair one, other;
  fill(one, other, device);
  return 0;
}
