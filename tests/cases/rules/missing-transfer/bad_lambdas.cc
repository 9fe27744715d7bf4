// Lambdas that are called by their name are functions.

#include <torch/torch.h>

#include <memory>
#include <vector>

// Lambdas whose operands must be where their captures are.
void needs() {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  auto step = [&](torch::Tensor x) { return model->forward(x); };
  step(torch::ones({8, 8}));  // LINT: missing-transfer
  auto y = step(torch::ones({8, 8}, torch::kCUDA));
  torch::matmul(y, torch::ones({8, 8}));  // LINT: missing-transfer
  auto copied = [model](torch::Tensor x) mutable { return model->forward(x); };
  copied(torch::ones({8, 8}));  // LINT: missing-transfer
}

// Variables that a lambda changes.
void changes() {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  auto x = torch::ones({8, 8});
  auto upload = [&] { x = x.to(torch::kCUDA); };
  model->forward(x);  // LINT: missing-transfer
  upload();
  model->forward(x);
  auto place = [&model](torch::Device device) { model->to(device); };
  place(torch::kCPU);
  model->forward(x);  // LINT: missing-transfer
}

// Fields of the object around.
namespace fields_around {

class Agent {
 public:
  explicit Agent(torch::Device device) : device_(device), model_(8, 8) { model_->to(device_); }
  torch::Tensor act(torch::Tensor x) {
    auto forward = [this](torch::Tensor y) { return model_->forward(y); };
    return forward(x);
  }
  torch::Tensor right(torch::Tensor x) {
    auto forward = [this](torch::Tensor y) { return model_->forward(y.to(device_)); };
    return forward(x);
  }

 private:
  torch::Device device_;
  torch::nn::Linear model_;
};

void run() {
  Agent agent(torch::kCUDA);
  agent.act(torch::ones({8, 8}));  // LINT: missing-transfer
  agent.right(torch::ones({8, 8}));
}

}  // namespace fields_around

// A list that is only read.
void only_read() {
  std::vector<torch::Tensor> parts;
  parts.push_back(torch::ones({8, 8}));
  auto count = [&] { return parts.size(); };
  count();
  torch::matmul(parts[0], torch::ones({8, 8}, torch::kCUDA));  // LINT: missing-transfer
}

// Objects behind pointers.
namespace behind_pointers {

class Agent {
 public:
  explicit Agent(torch::Device device) : model_(8, 8) { model_->to(device); }
  torch::Tensor act(torch::Tensor x) { return model_->forward(x); }

 private:
  torch::nn::Linear model_;
};

void run() {
  auto agent = std::make_shared<Agent>(torch::kCUDA);
  agent->act(torch::ones({8, 8}));  // LINT: missing-transfer
  agent->act(torch::ones({8, 8}, torch::kCUDA));
  std::unique_ptr<Agent> other(new Agent(torch::kCPU));
  other->act(torch::ones({8, 8}));
}

}  // namespace behind_pointers
