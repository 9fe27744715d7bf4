// Devices in globals are known up to the next call that may change them.

#include <torch/torch.h>

struct Options {
  int epochs = 3;
  torch::Device device = torch::kCPU;
};

static Options options;
static torch::Device place = torch::kCPU;
void reset();
void set() { place = torch::kCUDA; }
void chosen() {
  if (torch::cuda::is_available()) options.device = torch::kCUDA;
  torch::nn::Linear model(8, 8);
  model->to(options.device);
  auto x = torch::ones({8, 8});
  model->forward(x);  // LINT: missing-transfer
  model->forward(x.to(options.device));
}

void changed() {
  options.device = torch::kCUDA;
  torch::nn::Linear model(8, 8);
  model->to(options.device);
  reset();
  auto x = torch::ones({8, 8}, options.device);
  model->forward(x);
}

void changed_here() {
  place = torch::kCPU;
  auto x = torch::ones({8, 8}, place);
  set();
  torch::nn::Linear model(8, 8);
  model->to(place);
  model->forward(x.to(place));
}
