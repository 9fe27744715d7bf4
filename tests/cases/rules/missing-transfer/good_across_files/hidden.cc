// Functions that only this file can see.

#include <torch/torch.h>

static torch::Tensor hidden(torch::Tensor a, torch::Tensor b) { return a + b; }
namespace {
torch::Tensor also_hidden(torch::Tensor a, torch::Tensor b) { return a + b; }
}  // namespace

void use() {
  hidden(torch::ones({2}), torch::ones({2}));
  also_hidden(torch::ones({2}), torch::ones({2}));
}
