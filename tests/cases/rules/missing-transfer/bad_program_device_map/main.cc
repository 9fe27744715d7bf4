// The device that a command line names, out of a global map: it may be CUDA.

#include <torch/torch.h>

#include <map>
#include <string>

std::map<std::string, torch::Device> devices_by_name = {{"cpu", torch::kCPU},
                                                        {"cuda", torch::kCUDA}};

int main(int argc, char** argv) {
  auto it = devices_by_name.find(argv[argc - 1]);
  if (it == devices_by_name.end()) return 1;
  auto x = torch::ones({2}).to(it->second);
  torch::mul(x, torch::ones({2}));  // LINT: missing-transfer
}
