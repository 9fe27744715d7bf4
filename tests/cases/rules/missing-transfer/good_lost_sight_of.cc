// Tensors that code elsewhere may have moved, or whose device a file may decide.

#include <torch/script.h>
#include <torch/torch.h>

#include <memory>
#include <string>

void fill(torch::Tensor* where);
void place(torch::nn::Linear& net);

// A tensor whose address is given away.
class Trainer {
 public:
  Trainer() {
    net->to(torch::kCUDA);
    reset();
  }
  void reset() {
    mean = torch::zeros({8, 8});
    fill(&mean);
    net->forward(mean);
  }
  torch::Tensor step(const torch::Tensor& x) { return net->forward(x.to(torch::kCUDA)) + mean; }

 private:
  torch::nn::Linear net{8, 8};
  torch::Tensor mean;
};

// A module that a function gets which is not here.
class Agent {
 public:
  explicit Agent(torch::Device where) : device(where) { net->to(device); }
  void settle() { place(net); }
  torch::Tensor act(const torch::Tensor& state) { return net->forward(state); }

 private:
  torch::Device device;
  torch::nn::Linear net{8, 8};
};

// It may have been saved on CUDA, or on the CPU.
class Scripted {
 public:
  explicit Scripted(const std::string& file)
      : module(std::make_unique<torch::jit::script::Module>(torch::jit::load(file))) {}
  void run() { module->forward({torch::ones({8, 8})}); }
  void run_there() { module->forward({torch::ones({8, 8}, torch::kCUDA)}); }

 private:
  std::unique_ptr<torch::jit::script::Module> module;
};

// A field that is given another value than its declaration's.
struct Table {
  torch::Tensor rows = torch::ones({8, 8});
  torch::Tensor look_up(const torch::Tensor& keys) { return rows + keys; }
};

int main(int argc, char** argv) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Trainer trainer;
  trainer.step(torch::ones({8, 8}));
  Agent agent(device);
  agent.settle();
  agent.act(torch::ones({8, 8}));
  Scripted scripted(argv[1]);
  scripted.run();
  Table table;
  table.rows = table.rows.to(device);
  table.look_up(torch::ones({8, 8}, device));
  return 0;
}
