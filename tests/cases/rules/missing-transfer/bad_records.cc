// Devices in records, and in fields of fields.

#include <torch/torch.h>

// Fields of fields and of parameters.
namespace fields_of_fields {

struct Config {
  torch::Device device = torch::kCPU;
  int epochs = 3;
};

struct Worker {
  torch::Tensor run(torch::Tensor x) {
    torch::nn::Linear model(8, 8);
    model->to(config.device);
    return model->forward(x);
  }
  Config config;
};

void use(torch::nn::Linear model, const Config& config, torch::Tensor x) {
  model->forward(x.to(config.device));
}

void run() {
  Config config;
  config.device = torch::kCUDA;
  torch::nn::Linear model(8, 8);
  use(model, config, torch::ones({8, 8}));  // LINT: missing-transfer
  torch::nn::Linear moved(8, 8);
  moved->to(config.device);
  use(moved, config, torch::ones({8, 8}));
}

}  // namespace fields_of_fields

// Devices in structs.
namespace devices_in_structs {

struct Config {
  int epochs = 3;
  torch::Device device = torch::kCUDA;
};

struct Options {
  int epochs = 3;
  torch::Device device = torch::kCPU;
};

void literal() {
  Config config;
  torch::nn::Linear model(8, 8);
  model->to(config.device);
  auto x = torch::ones({8, 8});
  model->forward(x);  // LINT: missing-transfer
  model->forward(x.to(config.device));
}

void chosen() {
  Options options;
  if (torch::cuda::is_available()) options.device = torch::kCUDA;
  torch::nn::Linear model(8, 8);
  model->to(options.device);
  auto x = torch::ones({8, 8});
  model->forward(x);  // LINT: missing-transfer
  model->forward(x.to(options.device));
}

void braces() {
  Options options{1, torch::Device(torch::kCUDA)};
  torch::nn::Linear model(8, 8);
  model->to(options.device);
  model->forward(torch::ones({8, 8}));  // LINT: missing-transfer
}

void given(Config config) {
  torch::nn::Linear model(8, 8);
  model->to(config.device);
  auto x = torch::ones({8, 8});
  model->forward(x.to(config.device));
}

}  // namespace devices_in_structs
