// Nothing says that the module is moved, or that the member meets its input.

#include <torch/torch.h>

struct NeverMovedImpl : torch::nn::Module {
  NeverMovedImpl() { mask = torch::ones({64}); }
  torch::Tensor forward(torch::Tensor x) { return x * mask; }
  torch::Tensor mask;
};

struct ScalarImpl : torch::nn::Module {
  ScalarImpl() { scale = torch::tensor(0.5); }
  torch::Tensor forward(torch::Tensor x) { return x * scale; }
  torch::Tensor scale;
};

struct PartImpl : torch::nn::Module {
  PartImpl() { scales = torch::ones({4}); }
  // A scalar: it may be on the CPU.
  torch::Tensor forward(torch::Tensor x) { return x * scales[1]; }
  torch::Tensor scales;
};

struct KeptImpl : torch::nn::Module {
  KeptImpl() {
    mask = torch::ones({64});
    all.push_back(mask);  // and moved by what goes through the list
  }
  torch::Tensor forward(torch::Tensor x) { return x * mask; }
  torch::Tensor mask;
  std::vector<torch::Tensor> all;
};

struct CountsImpl : torch::nn::Module {
  CountsImpl() { counts = torch::zeros({10}); }
  torch::Tensor forward(torch::Tensor x) {
    steps += counts.size(0);
    return x * 2;
  }
  torch::Tensor counts;
  int64_t steps = 0;
};

struct GivenImpl : torch::nn::Module {
  explicit GivenImpl(torch::Tensor mask) : mask(mask) {}
  torch::Tensor forward(torch::Tensor x) { return x * mask; }
  torch::Tensor mask;
};

struct BodyElsewhereImpl : torch::nn::Module {
  BodyElsewhereImpl() { mask = torch::ones({64}); }
  void prepare(torch::Device device);
  torch::Tensor forward(torch::Tensor x) { return x * mask; }
  torch::Tensor mask;
};

void run(torch::Device device, torch::Tensor mask) {
  NeverMovedImpl never;
  ScalarImpl scalar;
  scalar.to(device);
  PartImpl part;
  part.to(device);
  KeptImpl kept;
  kept.to(device);
  CountsImpl counts;
  counts.to(device);
  GivenImpl given(mask.to(device));
  given.to(device);
  BodyElsewhereImpl elsewhere;
  elsewhere.to(device);
}
