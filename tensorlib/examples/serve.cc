// Scores batches with a small network: every value crosses the border once. The wasteful twin is
// serve_wasteful.cc.

#include <tensorlib/tensorlib.h>

#include <iostream>

namespace torch = tensorlib;

namespace {

constexpr int kBatches = 8;
constexpr int kBatchSize = 32;
constexpr int kFeatures = 256;
constexpr int kClasses = 10;

torch::Tensor load_batch(int index) {
  return torch::full({kBatchSize, kFeatures}, 0.01 * (index + 1));
}

}  // namespace

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::manual_seed(1);

  torch::nn::Linear hidden(kFeatures, kFeatures);
  torch::nn::Linear output(kFeatures, kClasses);
  hidden->to(device);
  output->to(device);

  const torch::Tensor mean = torch::full({kBatchSize, kFeatures}, 0.5, device);
  double total = 0;
  for (int i = 0; i <= kBatches; ++i) {
    torch::Tensor batch = load_batch(i).to(device);
    torch::Tensor scores = output->forward(torch::relu(hidden->forward(batch - mean)));
    total += scores.sum().item<float>();
  }
  std::cout << "sum of all scores: " << total << '\n';
  return 0;
}
