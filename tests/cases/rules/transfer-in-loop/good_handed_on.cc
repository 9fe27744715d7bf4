// Copies that are handed on, or only timed.

#include <torch/torch.h>

#include <vector>

void use(torch::Tensor t);

void handed_on(int n) {
  auto x = torch::randn({4});
  std::vector<torch::Tensor> all;
  for (int i = 0; i < n; ++i) all.push_back(x.cuda());
  for (int i = 0; i < n; ++i) use(x.cuda());
}

void timed(int n) {
  auto x = torch::randn({4});
  for (int i = 0; i < n; ++i) {
    auto y = x.cuda();
    torch::cuda::synchronize();
  }
}
