// Globals that another file moves, by hand, by a reference, by a pointer; and one that no file here
// makes.

#include <torch/torch.h>

#include "lasting.h"

namespace {

using namespace lasting;

torch::Tensor counted(torch::Tensor x) {
  static torch::Tensor total = torch::zeros({3});
  static bool moved = false;
  if (!moved) total = total.to(x.device());
  moved = true;
  total = total + x;
  return total;
}

torch::Tensor everything(torch::Tensor x) {
  auto y = net->forward(x - mean) + head->forward(x);
  auto z = x * scratch + x * Constants::weights + x * instance() + x * from_nowhere;
  return y.sum() + z.sum() + Constants::scale->forward(x).sum() + counted(x).sum();
}

torch::Tensor made_here(torch::Tensor x) {
  static torch::nn::Linear local(3, 3);
  local->to(device);
  net = torch::nn::Linear(3, 4);
  set_up();
  return local->forward(x).sum() + net->forward(x).sum();
}

}  // namespace

int main() {
  set_up();
  auto x = torch::rand({3}).to(device);
  everything(x);
  made_here(x);
  return 0;
}
