// The option that chose the device decides again.

#include <torch/torch.h>

#include <map>
#include <string>

struct Settings {
  bool use_cuda = false;
  std::string mode;
};

void of_settings(const Settings& settings) {
  torch::Device device = torch::kCPU;
  if (settings.use_cuda && torch::cuda::is_available()) device = torch::kCUDA;
  torch::nn::Linear net(8, 8);
  net->to(device);
  if (!settings.use_cuda) net->forward(torch::zeros({8, 8}));
}

void by_its_name(std::map<std::string, int>& args) {
  torch::Device device = torch::kCPU;
  if (torch::cuda::is_available() && args.count("cpu") == 0) device = torch::kCUDA;
  torch::nn::Linear net(8, 8);
  net->to(device);
  if (args.count("cpu") != 0) net->forward(torch::zeros({8, 8}));
}

// A setting that is compared with a text is one option, whatever the text.
void by_value(const Settings& settings) {
  torch::Device device = torch::kCPU;
  if (settings.mode == "cuda") device = torch::kCUDA;
  torch::nn::Linear net(8, 8);
  net->to(device);
  if (settings.mode == "cpu") net->forward(torch::zeros({8, 8}));
}

bool any_but(const std::map<std::string, int>& args);

// All of it tells of each.
void of_all(std::map<std::string, int>& args) {
  torch::Device device = torch::kCPU;
  if (args["gpu"] == 1) device = torch::kCUDA;
  torch::nn::Linear net(8, 8);
  net->to(device);
  if (any_but(args)) net->forward(torch::zeros({8, 8}));
}
