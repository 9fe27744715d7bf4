// A loop that adds to what it took from an array: what comes back is known all the same.

#include <torch/torch.h>

torch::Tensor gather(torch::Tensor* images, int n) {
  torch::Tensor all, one;
  all = images[0].view({1, 8});
  for (int i = 1; i < n; ++i) {
    one = images[i].view({1, 8});
    all = torch::cat({all, one});
  }
  return torch::ones({8});
}

void use(torch::Tensor* images, torch::nn::Linear net) {
  net->to(torch::kCUDA);
  net->forward(gather(images, 3));  // LINT: missing-transfer
}
