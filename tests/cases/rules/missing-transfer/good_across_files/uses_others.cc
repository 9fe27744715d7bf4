// Functions of the same names, which are defined elsewhere.

#include <torch/torch.h>

torch::Tensor hidden(torch::Tensor a, torch::Tensor b);
torch::Tensor also_hidden(torch::Tensor a, torch::Tensor b);

void run() {
  hidden(torch::ones({2}), torch::ones({2}).to(torch::kCUDA));
  also_hidden(torch::ones({2}), torch::ones({2}).to(torch::kCUDA));
}
