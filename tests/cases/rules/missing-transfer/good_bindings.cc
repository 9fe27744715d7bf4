// Structured bindings whose parts are where they are used.

#include <torch/torch.h>

#include <tuple>
#include <utility>
#include <vector>

void parts_apart() {
  std::pair<torch::Tensor, torch::Tensor> both{torch::rand({4, 4}), torch::rand({4, 4}).cuda()};
  auto& [host, device] = both;
  auto a = torch::mm(host, host);
  auto b = torch::mm(device, device);
  host = host.cuda();
  auto c = torch::mm(host, device);
}

void moved_after(torch::Device device) {
  auto x = torch::rand({10}, device);
  auto [values, indices] = x.sort();
  values = values.cpu();
  auto table = torch::rand({10}) + values;
  auto picked = x.index({indices});
}

void changed_through_the_whole() {
  std::pair<torch::Tensor, torch::Tensor> both{torch::rand({4, 4}), torch::rand({4, 4})};
  auto& [first, second] = both;
  both.first = both.first.cuda();
  both.second = both.second.cuda();
  auto z = torch::mm(first, torch::rand({4, 4}).cuda());
}

void batches(const std::vector<std::pair<torch::Tensor, torch::Tensor>>& samples,
             torch::Device device) {
  torch::nn::Linear model(4, 2);
  model->to(device);
  for (const auto& [x, y] : samples) {
    auto loss = torch::mse_loss(model(x.to(device)), y.to(device));
  }
  for (auto [x, y] : samples) {
    x = x.to(device);
    y = y.to(device);
    auto loss = torch::mse_loss(model(x), y);
  }
}

void a_scalar_by_index() {
  auto table = torch::rand({10});
  auto x = torch::rand({3}).cuda();
  auto scaled = x * table.index({0});
}
