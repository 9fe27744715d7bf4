// Options that choose a device say nothing of other options.

#include <torch/torch.h>

#include <map>
#include <string>

struct Options {
  bool use_cuda = false;
  bool verbose = false;
};

int of_a_record(const Options& options) {
  torch::Device device = torch::kCPU;
  if (options.use_cuda && torch::cuda::is_available()) device = torch::kCUDA;
  if (options.verbose) return 1;
  torch::nn::Linear net(8, 8);
  net->to(device);
  net->forward(torch::zeros({8, 8}));  // LINT: missing-transfer
  return 0;
}

int by_name(std::map<std::string, int>& args) {
  torch::Device device = torch::kCPU;
  if (torch::cuda::is_available() && args.count("cpu") == 0) device = torch::kCUDA;
  if (args.count("help") != 0) return 1;
  if (args["dry-run"] == 1) return 1;
  torch::nn::Linear net(8, 8);
  net->to(device);
  net->forward(torch::zeros({8, 8}));  // LINT: missing-transfer
  return 0;
}

bool has_option(int argc, char** argv, const std::string& option);

int of_the_command_line(int argc, char** argv) {
  torch::Device device = torch::kCPU;
  if (has_option(argc, argv, "--gpu") && torch::cuda::is_available()) device = torch::kCUDA;
  if (has_option(argc, argv, "--help")) return 1;
  torch::nn::Linear net(8, 8);
  net->to(device);
  net->forward(torch::zeros({8, 8}));  // LINT: missing-transfer
  return 0;
}
