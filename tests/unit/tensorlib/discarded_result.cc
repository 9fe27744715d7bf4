// Compiled by a test, with and without WRONG: what [[nodiscard]] must say, and what it must not.
#include <tensorlib/tensorlib.h>

int main() {
  tensorlib::Tensor x = tensorlib::ones({2});
  tensorlib::nn::Linear layer(2, 2);
  layer->to(tensorlib::kCPU);  // in place: nothing is discarded
  x = x.to(tensorlib::kCPU);
  x.add_(1);
  x += x;
#ifdef WRONG
  x.WRONG;
#endif
}
