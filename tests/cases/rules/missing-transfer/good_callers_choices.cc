// A device that a flag of the callers' chooses, where all of them give what is the same in every
// run.

#include <torch/torch.h>

class OnTheHost {
 public:
  OnTheHost(int64_t size, bool use_cuda)
      : net(size, size), device(use_cuda ? torch::kCUDA : torch::kCPU) {
    net->to(device);
  }
  torch::Tensor detect() { return net->forward(torch::ones({8, 8})); }

 private:
  torch::nn::Linear net;
  torch::Device device;
};

// A flag that one function hands on to the next is no more open than the flag that it was given.
torch::Tensor on_device(bool gpu) {
  torch::Device device = gpu ? torch::kCUDA : torch::kCPU;
  torch::nn::Linear net(8, 8);
  net->to(device);
  return net->forward(torch::ones({8, 8}).to(device));
}
torch::Tensor hand_on(bool gpu) { return on_device(gpu); }

// A field that only constants are put into.
class Worker {
 public:
  Worker() : gpu(false) {}
  void prepare() {
    device = gpu ? torch::kCUDA : torch::kCPU;
    net->to(device);
  }
  torch::Tensor work() { return net->forward(torch::ones({8, 8})); }

 private:
  bool gpu;
  torch::Device device = torch::kCPU;
  torch::nn::Linear net{8, 8};
};

int main() {
  const bool gpu = false;
  OnTheHost host(8, gpu);
  host.detect();
  hand_on(false) + torch::ones({8, 8});
  Worker worker;
  worker.prepare();
  worker.work();
  return 0;
}
