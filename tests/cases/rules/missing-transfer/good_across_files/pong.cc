// The other half of the ring.

#include <torch/torch.h>

torch::Tensor ping(torch::Tensor a, torch::Tensor b, int n);
torch::Tensor pong(torch::Tensor a, torch::Tensor b, int n) { return ping(b, a, n); }
