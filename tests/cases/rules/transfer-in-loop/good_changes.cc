// The tensor that is moved is new on every iteration.

#include <torch/torch.h>

#include <vector>

void refill(torch::Tensor& tensor);
torch::Tensor next_batch();

void new_values(torch::nn::Linear& net, torch::Device device, std::vector<torch::Tensor>& batches) {
  for (int i = 0; i < 10; ++i) net->forward(torch::randn({4, 8}).to(device));
  for (auto& batch : batches) net->forward(batch.to(device));
  for (size_t i = 0; i < batches.size(); ++i) net->forward(batches[i].to(device));
  for (int i = 0; i < 10; ++i) net->forward(next_batch().to(device));
}

void rewritten(torch::nn::Linear& net, torch::Device device) {
  auto buffer = torch::zeros({4, 8});
  for (int i = 0; i < 10; ++i) {
    buffer.fill_(i);
    net->forward(buffer.to(device));
  }
}

void rewritten_later(torch::nn::Linear& net, torch::Device device) {
  auto buffer = torch::zeros({4, 8});
  for (int i = 0; i < 10; ++i) {
    net->forward(buffer.to(device));
    refill(buffer);
  }
}

void element(torch::nn::Linear& net, torch::Device device) {
  auto all = torch::zeros({10, 8});
  for (int i = 0; i < 10; ++i) net->forward(all[i].to(device));
}

void trained(torch::nn::Linear& net, torch::optim::SGD& optimizer) {
  for (int i = 0; i < 10; ++i) {
    optimizer.step();
    auto snapshot = net->weight.cpu();
    if (snapshot.isnan().any().item<bool>()) break;
  }
}

void copy_is_changed(torch::Tensor sum) {
  auto start = torch::randn({4});
  for (int i = 0; i < 10; ++i) {
    auto moved = start.cuda();
    moved.add_(sum);
  }
}

void optimized(int steps) {
  auto w = torch::randn({4});
  torch::optim::SGD optimizer({w}, 0.1);
  for (int i = 0; i < steps; ++i) {
    auto y = w.cuda();
    auto loss = y + y;
    optimizer.step();
  }
}
