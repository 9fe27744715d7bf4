// A loop that does nothing but fetch and copy is there for the time that takes.

#include <torch/torch.h>

#include <iostream>

struct Watch {
  double seconds() const;
};

template <typename Loader>
void time_loading(Loader& loader, torch::Device device) {
  Watch watch;
  for (auto& batch : *loader) {
    auto data = batch.data.to(device);
    auto target = batch.target.to(device);
    continue;
  }
  std::cout << watch.seconds() << '\n';
}

void run(torch::Device device) {
  auto data = torch::data::datasets::MNIST("data").map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(std::move(data), 64);
  time_loading(loader, device);
}

void over_a_list(std::vector<torch::Tensor>& parts, torch::Device device) {
  Watch watch;
  for (auto& part : parts) auto copy = part.to(device);
  std::cout << watch.seconds() << '\n';
}

void counted(torch::Tensor x, torch::Device device) {
  Watch watch;
  for (int i = 0; i < 100; ++i) auto copy = x.to(device);
  std::cout << watch.seconds() << '\n';
}
