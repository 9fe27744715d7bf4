// tensorlib's operations on cuda:0, beside operations.py's with PyTorch:
// "name<TAB>microseconds<TAB>bytes that must move" (0: bound by arithmetic). And what the seed
// cases' habits cost, each beside the right way: names with a colon.

#include <tensorlib/models/resnet.h>

#include <cstdlib>

#include "../../bench/measure.h"

namespace {

// Some calls and one wait, as a program does.
void timed(const char* name, double bytes, const std::function<void()>& work, int calls = 20) {
  std::printf("%.0f\t", bytes);
  measure(
      name,
      [&] {
        for (int i = 0; i < calls; ++i) work();
        torch::cuda::synchronize();
      },
      calls);
}

bool small() { return std::getenv("XFER_GPU_DRY_RUN") != nullptr; }

}  // namespace

int main() {
  const torch::NoGradGuard no_grad;
  const torch::Device gpu(torch::kCUDA, 0);
  const int64_t side = small() ? 64 : 4096, n = side * side;
  torch::Tensor out;

  const torch::Tensor a = torch::rand({side, side}).to(gpu), b = torch::rand({side, side}).to(gpu);
  const torch::Tensor one = torch::ones({1}).to(gpu);
  const double bytes = static_cast<double>(n) * sizeof(float);
  timed("add, 1 element", 0, [&] { out = one + one; }, 200);
  timed("add", 3 * bytes, [&] { out = a + b; });
  timed("exp", 2 * bytes, [&] { out = a.exp(); });
  timed("sum", bytes, [&] { out = a.sum(); });
  timed("sum of columns", bytes, [&] { out = a.sum(0); });
  timed("softmax", 2 * bytes, [&] { out = a.softmax(1); });
  timed("transpose to contiguous", 2 * bytes, [&] { out = a.t().contiguous(); });
  timed("matmul", 0, [&] { out = a.matmul(b); });
  {
    const torch::Tensor x = torch::rand({small() ? 1 : 32, 64, 56, 56}).to(gpu);
    const torch::Tensor w = torch::rand({64, 64, 3, 3}).to(gpu);
    timed("conv 3x3, 32x64x56x56", 0, [&] { out = torch::conv2d(x, w, {}, 1, 1); });
  }
  {
    auto model = torch::models::resnet18();
    model->eval();
    model->to(gpu);
    const int64_t pixels = small() ? 32 : 224;
    const torch::Tensor x = torch::rand({small() ? 1 : 32, 3, pixels, pixels}).to(gpu);
    timed("ResNet-18 forward, 32x3x224x224", 0, [&] { out = model->forward(x); }, 4);
  }

  const torch::Tensor pageable = torch::rand({side, side}), pinned = pageable.pin_memory();
  timed("to(cuda), pageable", bytes, [&] { out = pageable.to(gpu); }, 4);
  timed("to(cuda), pinned", bytes, [&] { out = pinned.to(gpu); }, 4);
  timed("to(cpu)", bytes, [&] { out = a.cpu(); }, 4);

  torch::nn::Linear layer(side, side);
  layer->to(gpu);
  const torch::Tensor batch = torch::rand({64, side});
  const torch::Tensor there = batch.to(gpu);
  timed("step: batch on the device", 0, [&] { out = layer(there); });
  timed("step: result to the host and back", 0, [&] { out = layer(there).cpu().to(gpu); });
  timed("step: batch sent again each time", 0, [&] { out = layer(batch.to(gpu)); });
  timed("step: item() each time", 0, [&] { (void)layer(there).sum().item<float>(); });
  const torch::Tensor weights = torch::rand({side, side});
  timed("step: weights sent again each time", 0, [&] { out = there.matmul(weights.to(gpu)); });
}
