// A returned record's tensors depend on the path, are changed by others, or are known to fit.

#include <torch/torch.h>

#include <memory>

namespace returned_records {

struct Batch {
  torch::Tensor data, target;
};

Batch either(bool there) {
  if (there) return {torch::ones({2, 8}, torch::kCUDA), torch::ones({2, 8}, torch::kCUDA)};
  return {torch::rand({2, 8}), torch::rand({2, 8})};
}

Batch one_path(bool there) {
  Batch batch;
  batch.data = torch::ones({2, 8}, torch::kCUDA);
  if (there)
    batch.target = torch::ones({2, 8}, torch::kCUDA);
  else
    batch.target = torch::ones({2, 8});
  return batch;
}

Batch moved(Batch batch) {
  batch.target = batch.target.to(torch::kCUDA);
  return batch;
}

void move_target(Batch& batch) { batch.target = batch.target.cuda(); }

Batch moved_by_a_helper() {
  Batch batch;
  batch.data = torch::ones({2, 8}, torch::kCUDA);
  batch.target = torch::ones({2, 8});
  move_target(batch);
  return batch;
}

std::shared_ptr<Batch> kept;

std::shared_ptr<Batch> shared() {
  auto batch = std::make_shared<Batch>();
  batch->target = torch::ones({2, 8});
  kept = batch;
  return batch;
}

void move_kept() { kept->target = kept->target.cuda(); }

torch::Tensor of_either(bool there) {
  auto batch = either(there);
  return torch::mm(batch.data, batch.target);
}

torch::Tensor of_one_path(bool there) {
  auto batch = one_path(there);
  return torch::mm(batch.data, batch.target);
}

torch::Tensor of_moved(bool there) {
  auto batch = moved(one_path(there));
  return torch::mm(batch.data, batch.target);
}

torch::Tensor of_a_helper() {
  auto batch = moved_by_a_helper();
  return torch::mm(batch.data, batch.target);
}

torch::Tensor of_a_handle() {
  auto batch = shared();
  move_kept();
  return torch::mm(torch::ones({2, 2}, torch::kCUDA), batch->target);
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

torch::Tensor moved_for_both() {
  torch::nn::Linear net(8, 8);
  auto made = learner(net);
  net->to(torch::kCUDA);
  return made.net->forward(torch::ones({2, 8}, torch::kCUDA));
}

torch::Tensor moved_back_for_both() {
  torch::nn::Linear net(8, 8);
  net->to(torch::kCUDA);
  auto made = learner(net);
  net->to(torch::kCPU);
  return made.net->forward(torch::ones({2, 8}));
}

}  // namespace returned_records
