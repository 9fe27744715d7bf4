// A function returns a record: each of its fields is where the function put that.

#include <torch/torch.h>

namespace returned_records {

struct Batch {
  torch::Tensor data, target;
};

Batch read() {
  Batch batch;
  batch.data = torch::rand({4, 8});
  batch.target = torch::rand({4, 8});
  return batch;
}

Batch half_moved(torch::Device device) {
  return {torch::rand({4, 8}).to(device), torch::rand({4, 8})};
}

torch::Tensor both_there() {
  auto batch = read();
  auto out = torch::relu(batch.data.to(torch::kCUDA));
  return torch::mse_loss(out, batch.target);  // LINT: missing-transfer
}

torch::Tensor one_there() {
  const Batch batch = half_moved(torch::kCUDA);
  return torch::mse_loss(batch.data, batch.target);  // LINT: missing-transfer
}

torch::Tensor wherever(torch::Device device) {
  auto [data, target] = half_moved(device);
  return torch::mse_loss(data, target);  // LINT: missing-transfer
}

struct Learner {
  torch::nn::Linear net{nullptr};
  torch::Tensor weights;
};

Learner learner(torch::nn::Linear net) {
  Learner made;
  made.net = net;
  made.weights = torch::ones({8});
  return made;
}

torch::Tensor of_the_same_module() {
  torch::nn::Linear net(8, 8);
  auto made = learner(net);
  net->to(torch::kCUDA);
  return made.net->forward(torch::ones({2, 8}));  // LINT: missing-transfer
}

}  // namespace returned_records
