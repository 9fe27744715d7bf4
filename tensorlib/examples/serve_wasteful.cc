// Scores batches with a small network, and wastes on purpose: what xferlint and xfertrace say about
// this file is what `./dev demo` shows. serve.cc beside it does the same work right.

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

  const torch::Tensor mean = torch::full({kBatchSize, kFeatures}, 0.5);
  double total = 0;
  for (int i = 0; i < kBatches; ++i) {
    torch::Tensor batch = load_batch(i).to(device);
    torch::Tensor centred = batch - mean.to(device);
    torch::Tensor activations = torch::relu(hidden->forward(centred));
    torch::Tensor checked = activations.cpu();
    torch::Tensor scores = output->forward(checked.to(device));
    total += scores.sum().item<float>();
  }
  std::cout << "sum of all scores: " << total << '\n';

  torch::Tensor late = load_batch(kBatches);
  late.to(device);
  try {
    torch::Tensor scores = output->forward(hidden->forward(late));
    std::cout << "late batch: " << scores.sum().item<float>() << '\n';
  } catch (const torch::Error& error) {
    std::cout << error.what() << '\n';
  }
  return 0;
}
