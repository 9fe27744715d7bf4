// Helpers that register something else than the member, or nothing.

#include <torch/torch.h>

#include <string>

struct Registrar : torch::nn::Module {
  torch::Tensor keep(const std::string& name, torch::Tensor value) {
    return register_buffer(name, value);
  }
  torch::Tensor pass(torch::Tensor value) { return value; }
  torch::Tensor like(const std::string& name, torch::Tensor value) {
    register_buffer(name, value);
    return torch::ones({4, 4});
  }
  template <class Part>
  Part init(Part part) {
    torch::NoGradGuard guard;
    part->bias.zero_();
    return part;
  }
};

struct PassedImpl : Registrar {
  PassedImpl() {
    mask = pass(torch::ones({4, 4}));         // LINT: unregistered-tensor
    twin = like("twin", torch::ones({4, 4}));  // LINT: unregistered-tensor
    fresh = torch::ones({4, 4});              // LINT: unregistered-tensor
    keep("other", torch::ones({4, 4}));
    layer = torch::nn::Linear(4, 4);          // LINT: unregistered-tensor
    kept = keep("kept", torch::ones({4, 4}));
  }
  torch::Tensor forward(torch::Tensor x) {
    auto masked = x * mask + x * twin + x * fresh + x * kept;
    return layer(x) + masked;
  }
  torch::Tensor mask, twin, fresh, kept;
  torch::nn::Linear layer{nullptr};
};
TORCH_MODULE(Passed);

torch::Tensor run_passed(torch::Tensor x, torch::Device device) {
  Passed net;
  net->to(device);
  return net->forward(x.to(device));
}
