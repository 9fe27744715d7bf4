// Globals that another file makes and moves.

#include <torch/torch.h>

#include "state.h"

namespace {

using namespace shared_state;

torch::Tensor normalise(torch::Tensor image) {
  return image - mean;  // LINT: missing-transfer
}

torch::Tensor project(torch::Tensor image) {
  return torch::mm(image, table);  // LINT: missing-transfer
}

torch::Tensor noise() {
  auto made = torch::rand({2, 3});
  return net->forward(made);  // LINT: missing-transfer
}

torch::Tensor replay() {
  torch::Tensor sum = torch::zeros({4}, device);
  for (auto& frame : frames) sum = sum + head->forward(frame);  // LINT: missing-transfer
  return sum;
}

torch::Tensor weigh(torch::Tensor image) {
  auto scaled = head->forward(image) * Constants::weights;  // LINT: missing-transfer
  return scaled + Constants::scale->forward(image);         // LINT: missing-transfer
}

}  // namespace

int main() {
  set_up();
  auto image = torch::rand({2, 3}).to(device);
  normalise(image);
  project(image);
  noise();
  replay();
  weigh(image);
  return 0;
}
