// The elements are where the module is, also for code that does not see how they are registered.

#include "layers.h"

namespace {

torch::Tensor first_of_listed(ListedLayers& model, torch::Device device) {
  return model->layers[0]->forward(torch::ones({1, 3}, device));
}

}  // namespace

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  ListedLayers model(3);
  model->to(device);
  first_of_listed(model, device);
  return 0;
}
