// Trains a small convolutional network to read digits, with a progress bar, and saves it.
//
// usage: example_train_digits [--epochs N] [--mnist FOLDER] [--save FILE.safetensors]
// FOLDER holds MNIST's four files; without it the digits are drawn, in noise.
// Each batch crosses the border once, and is copied while the one before it is computed on.

#include <tensorlib/tensorlib.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

namespace torch = tensorlib;

namespace {

// Digits of seven segments, shifted and in noise: 28x28 numbers of [0, 1].
struct DrawnDigits : torch::data::datasets::Dataset<DrawnDigits> {
  explicit DrawnDigits(size_t count) : count(count) {}

  torch::data::Example<> get(size_t index) override {
    // Which of top, middle, bottom, left above and below, right above and below each digit has.
    static const char* const kSegments[] = {"1011111", "0000011", "1110110", "1110011", "0101011",
                                            "1111001", "1111101", "1000011", "1111111", "1111011"};
    const size_t digit = index % 10;
    torch::Tensor image = torch::rand({1, 28, 28}) * 0.3;
    const int64_t x = 4 + static_cast<int64_t>(index / 10 % 8),
                  y = 2 + static_cast<int64_t>(index / 80 % 6);
    const auto bar = [&](int segment, int64_t top, int64_t left, int64_t height, int64_t width) {
      if (kSegments[digit][segment] == '0') return;
      image.narrow(1, y + top, height).narrow(2, x + left, width).add_(0.6);
    };
    bar(0, 0, 2, 2, 9), bar(1, 9, 2, 2, 9), bar(2, 18, 2, 2, 9);
    bar(3, 1, 0, 9, 2), bar(4, 10, 0, 9, 2), bar(5, 1, 11, 9, 2), bar(6, 10, 11, 9, 2);
    return {image, torch::full({}, static_cast<int64_t>(digit))};
  }
  std::optional<size_t> size() const override { return count; }

  size_t count;
};

struct NetImpl : torch::nn::Module {
  NetImpl()
      : conv1(torch::nn::Conv2dOptions(1, 8, 5)),
        conv2(torch::nn::Conv2dOptions(8, 16, 5)),
        hidden(256, 64),
        output(64, 10) {
    register_module("conv1", conv1);
    register_module("conv2", conv2);
    register_module("hidden", hidden);
    register_module("output", output);
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::max_pool2d(conv1->forward(x), 2).relu_();
    x = torch::max_pool2d(conv2->forward(x), 2).relu_();
    return output->forward(hidden->forward(x.flatten(1)).relu_());
  }

  torch::nn::Conv2d conv1, conv2;
  torch::nn::Linear hidden, output;
};
TORCH_MODULE(Net);

// "epoch 1 [=====>    ] 64/128  loss 0.41", over and over on one line.
void show_progress(int epoch, size_t done, size_t all, float loss) {
  constexpr size_t kWidth = 30;
  const size_t filled = kWidth * done / all;
  std::cerr << "\repoch " << epoch << " [" << std::string(filled, '=') << '>'
            << std::string(kWidth - filled, ' ') << "] " << done << '/' << all << "  loss " << loss
            << "   " << (done == all ? "\n" : "") << std::flush;
}

template <class Dataset>
void train(Dataset digits, const std::string& save_as, int epochs) {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::manual_seed(1);
  Net net;
  net->to(device);
  torch::optim::Adam optimizer(net->parameters(), torch::optim::AdamOptions(1e-3));

  const size_t examples = *digits.size(), batch_size = 64;
  auto loader = torch::data::make_data_loader(
      std::move(digits).map(torch::data::transforms::Stack<>()),
      torch::data::DataLoaderOptions(batch_size).workers(1).device(device));
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    size_t seen = 0, batches = 0;
    torch::Tensor right = torch::zeros({}, torch::TensorOptions(device).dtype(torch::kLong));
    float shown = 0;
    for (auto& batch : *loader) {
      optimizer.zero_grad();
      const torch::Tensor scores = net->forward(batch.data);
      const torch::Tensor loss = torch::cross_entropy_loss(scores, batch.target);
      loss.backward();
      optimizer.step();
      right += scores.argmax(1).eq(batch.target).sum();
      seen += static_cast<size_t>(batch.target.size(0));
      // To read the loss is to wait for the device: not at every step.
      if (batches++ % 16 == 0 || seen == examples) shown = loss.template item<float>();
      show_progress(epoch, seen, examples, shown);
    }
    std::cout << "epoch " << epoch << ": "
              << 100.0 * right.item<double>() / static_cast<double>(seen) << " % right\n";
  }
  if (!save_as.empty()) torch::save(net, save_as);
}

}  // namespace

int main(int argc, char** argv) {
  int epochs = 5;
  std::string mnist, save_as;
  for (int i = 1; i < argc; ++i) {
    const bool has_value = i + 1 < argc;
    if (has_value && std::strcmp(argv[i], "--epochs") == 0) {
      epochs = std::atoi(argv[++i]);
    } else if (has_value && std::strcmp(argv[i], "--mnist") == 0) {
      mnist = argv[++i];
    } else if (has_value && std::strcmp(argv[i], "--save") == 0) {
      save_as = argv[++i];
    } else {
      std::cerr << "usage: " << argv[0] << " [--epochs N] [--mnist FOLDER] [--save FILE]\n";
      return 2;
    }
  }
  try {
    if (mnist.empty()) {
      train(DrawnDigits(2000), save_as, epochs);
    } else {
      train(torch::data::datasets::MNIST(mnist), save_as, epochs);
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
