// Fields of an object whose methods call code that is not here: the methods' own facts tell what
// becomes of them.

#include <torch/script.h>
#include <torch/torch.h>

#include <memory>
#include <string>

void log_line(const std::string& text);

class Agent {
 public:
  explicit Agent(torch::Device* where) : device(where) { net->to(*device); }
  void load(const std::string& file) {
    log_line(file);
    torch::load(net, file);
    net->to(*device);
  }
  torch::Tensor act(const torch::Tensor& state) {
    return net->forward(state);
  }

 private:
  torch::Device* device = nullptr;
  torch::nn::Linear net{8, 8};
};

// A module from a file is where it was saved, until it is moved.
class Scripted {
 public:
  explicit Scripted(const std::string& file) {
    module = std::make_unique<torch::jit::script::Module>(torch::jit::load(file));
    log_line(file);
    module->to(torch::kCUDA);
  }
  torch::IValue run() {
    return module->forward({torch::ones({8, 8})});  // LINT: missing-transfer
  }

 private:
  std::unique_ptr<torch::jit::script::Module> module;
};

// A field that its declaration gives its first value.
struct Table {
  torch::Tensor rows = torch::ones({8, 8});
  torch::Tensor look_up(const torch::Tensor& keys) {
    return rows + keys;
  }
};

int main(int argc, char** argv) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Agent agent(&device);
  agent.load(argv[1]);
  agent.act(torch::ones({8, 8}));  // LINT: missing-transfer
  Scripted scripted(argv[1]);
  scripted.run();
  Table table;
  table.look_up(torch::ones({8, 8}, device));  // LINT: missing-transfer
  return 0;
}
