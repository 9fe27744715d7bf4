// A call of one of two definitions, unknown which.

#include <torch/torch.h>

torch::Tensor join(torch::Tensor a, torch::Tensor b);

void run() { join(torch::ones({2}), torch::ones({2}).to(torch::kCUDA)); }
