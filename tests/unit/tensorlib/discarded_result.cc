// Compiled by discarded_result.cmake: the compiler must warn at every line marked DISCARDED, give
// the reason, and say nothing of the others.
#include <tensorlib/tensorlib.h>

int main() {
  namespace torch = tensorlib;
  torch::Tensor x = torch::ones({2, 2});
  torch::nn::Linear layer(2, 2);
  layer->to(torch::kCPU);  // in place
  x = x.to(torch::kCPU);
  x.add_(1).relu_().fill_(2);
  x += x;
  x.copy_(x);
  (void)x.cpu();  // said to be wanted
#ifdef WRONG
  x.to(torch::kCUDA);                // DISCARDED
  x.to(torch::kCUDA, torch::kHalf);  // DISCARDED
  x.to(x);                           // DISCARDED
  x.cpu();                           // DISCARDED
  x.cuda();                          // DISCARDED
  x.pin_memory();                    // DISCARDED
  x.clone();                         // DISCARDED
  x.contiguous();                    // DISCARDED
  x.view({4});                       // DISCARDED
  x.t();                             // DISCARDED
  x[0];                              // DISCARDED
  x.relu();                          // DISCARDED
  x.sum();                           // DISCARDED
  x.add(1);                          // DISCARDED
  x + x;                             // DISCARDED
  torch::matmul(x, x);               // DISCARDED
  torch::zeros({2});                 // DISCARDED
  layer->forward(x);                 // DISCARDED
#endif
}
