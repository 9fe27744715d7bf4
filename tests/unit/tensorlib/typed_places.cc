// Compiled by typed_places.cmake: each line marked WRONG(n) must be refused, alone, with the
// reason; without them the file compiles.
#include <tensorlib/tensorlib.h>

int main() {
  namespace torch = tensorlib;
  const torch::TensorOn<torch::Cpu> x(torch::ones({2, 2}));
  if (!torch::cuda::is_available()) return 0;
  const torch::TensorOn<torch::Cuda> y = x.to<torch::Cuda>();
  auto right = (x.to<torch::Cuda>() + y).matmul(y);
  right = right.mul(2.0).gt(1);
#if WRONG == 1
  right = y + x;
#elif WRONG == 2
  right = y.matmul(x);
#elif WRONG == 3
  right = y.mul(x);
#elif WRONG == 4
  right = y.eq(x);
#endif
}
