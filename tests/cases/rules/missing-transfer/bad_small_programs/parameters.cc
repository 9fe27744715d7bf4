// To walk over what a call returns changes no field.

#include <torch/torch.h>

struct Agent {
  Agent() {
    net->to(torch::kCUDA);
    x = torch::ones({8, 8});
  }
  void reset() {
    for (auto& weight : net->parameters()) weight.zero_();
  }
  void act() {
    if (ready) net->forward(x);  // LINT: missing-transfer
  }

 private:
  torch::nn::Linear net{8, 8};
  torch::Tensor x;
  bool ready = true;
};

int main() {
  Agent agent;
  agent.reset();
  agent.act();
  return 0;
}
