// Training steps and the data loader, the same source for tensorlib and (XFER_BENCH_TORCH)
// LibTorch. usage: tensorlib_training THREADS; prints "name<TAB>microseconds", the best of several
// runs.
#include <cstdlib>
#include <optional>

#include "measure.h"

namespace {

// One step: forward, loss, backward, update.
template <class Model, class Optimizer>
void measure_step(const char* name, Model& model, Optimizer& optimizer, const torch::Tensor& input,
                  const torch::Tensor& target) {
  measure(name, [&] {
    optimizer.zero_grad();
    torch::nn::functional::cross_entropy(model->forward(input), target).backward();
    optimizer.step();
  });
}

// Images that are made of memory alone, so that the loader is what is measured.
struct Images : torch::data::datasets::Dataset<Images> {
  torch::Tensor images = torch::rand({2048, 1, 28, 28});
  torch::Tensor labels = torch::randint(10, {2048}, torch::kLong);
  torch::data::Example<> get(size_t i) override {
    const auto at = static_cast<int64_t>(i);
    return {images[at], labels[at]};
  }
  torch::optional<size_t> size() const override { return 2048; }
};

void measure_loader(const char* name, size_t workers) {
  constexpr int kBatch = 64;
  auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
      Images()
          .map(torch::data::transforms::Normalize<>(0.1307, 0.3081))
          .map(torch::data::transforms::Stack<>()),
      torch::data::DataLoaderOptions().batch_size(kBatch).workers(workers));
  measure(
      name,
      [&] {
        for (auto& batch : *loader) {
          if (batch.data.size(0) != kBatch) std::abort();
        }
      },
      2048 / kBatch);
}

}  // namespace

int main(int argc, char** argv) {
  torch::set_num_threads(argc > 1 ? std::atoi(argv[1]) : 1);
  torch::manual_seed(0);
  const torch::Tensor digits = torch::rand({64, 784});
  const torch::Tensor labels = torch::randint(10, {64}, torch::kLong);

  torch::nn::Sequential mlp(torch::nn::Linear(784, 256), torch::nn::ReLU(),
                            torch::nn::Linear(256, 10));
  torch::optim::SGD sgd(mlp->parameters(), torch::optim::SGDOptions(1e-3).momentum(0.9));
  measure_step("MLP 784-256-10 step, SGD", mlp, sgd, digits, labels);
  torch::optim::Adam adam(mlp->parameters(), torch::optim::AdamOptions(1e-5));
  measure_step("MLP 784-256-10 step, Adam", mlp, adam, digits, labels);

  // That of pytorch/examples' mnist.
  using namespace torch::nn;
  Sequential cnn(Conv2d(1, 10, 5), MaxPool2d(2), ReLU(), Conv2d(10, 20, 5), MaxPool2d(2), ReLU(),
                 Flatten(), Linear(320, 50), ReLU(), Dropout(), Linear(50, 10));
  torch::optim::SGD small(cnn->parameters(), torch::optim::SGDOptions(1e-3).momentum(0.5));
  measure_step("MNIST CNN step, batch 64", cnn, small, digits.view({64, 1, 28, 28}), labels);

  Sequential deeper(Conv2d(Conv2dOptions(3, 32, 3).padding(1)), BatchNorm2d(32), ReLU(),
                    Conv2d(Conv2dOptions(32, 64, 3).stride(2).padding(1)), BatchNorm2d(64), ReLU(),
                    AdaptiveAvgPool2d(AdaptiveAvgPool2dOptions({1, 1})), Flatten(), Linear(64, 10));
  torch::optim::SGD more(deeper->parameters(), torch::optim::SGDOptions(1e-3));
  const torch::Tensor pictures = torch::rand({32, 3, 32, 32});
  measure_step("CNN with batch norm step, 32x3x32x32", deeper, more, pictures,
               labels.slice(0, 0, 32));

  measure_loader("loader, a batch of 64 digits, no worker", 0);
  measure_loader("loader, a batch of 64 digits, 2 workers", 2);
}
