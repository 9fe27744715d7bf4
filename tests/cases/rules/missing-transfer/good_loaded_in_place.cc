// A module that is read from a file may fit its input, or is moved there.

#include <torch/script.h>
#include <torch/torch.h>

#include <string>

namespace loaded_in_place {

torch::Tensor saved_there(torch::Tensor image) {
  auto net = torch::jit::load("net.pt");
  return net.forward({image.to(torch::kCUDA)}).toTensor();
}

torch::Tensor given(torch::Tensor image, torch::Device device) {
  auto net = torch::jit::load("net.pt");
  return net.forward({image.to(device)}).toTensor();
}

torch::Tensor loaded_there(torch::Tensor image) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  auto net = torch::jit::load("net.pt", device);
  return net.forward({image.to(device)}).toTensor();
}

torch::Tensor moved(torch::Tensor image) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  auto net = torch::jit::load("net.pt");
  net.to(device);
  return net.forward({image.to(device)}).toTensor();
}

torch::Tensor moved_if(torch::Tensor image) {
  auto net = torch::jit::load("net.pt");
  if (torch::cuda::is_available()) {
    net.to(torch::kCUDA);
    image = image.to(torch::kCUDA);
  }
  return net.forward({image}).toTensor();
}

torch::Tensor weights(torch::Tensor image) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Linear net(2, 2);
  torch::load(net, "net.pt");
  net->to(device);
  return net->forward(image.to(device));
}

// A module that the program saved is where the program had it.
torch::Tensor saved_by_itself(torch::Tensor image) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Linear net(2, 2), again(2, 2);
  net->to(device);
  torch::save(net, "net.pt");
  torch::load(again, "net.pt");
  return again->forward(image.to(device));
}

torch::Tensor both_moved(torch::Tensor image, torch::Device device) {
  auto encoder = torch::jit::load("encoder.pt");
  auto decoder = torch::jit::load("decoder.pt");
  encoder.to(device);
  decoder.to(device);
  auto hidden = encoder.forward({image.to(device)}).toTensor();
  return decoder.forward({hidden}).toTensor();
}

torch::Tensor brought_back(torch::Tensor image, torch::Device device) {
  auto encoder = torch::jit::load("encoder.pt");
  auto decoder = torch::jit::load("decoder.pt");
  encoder.to(device);
  auto hidden = encoder.forward({image.to(device)}).toTensor();
  return decoder.forward({hidden.cpu()}).toTensor();
}

}  // namespace loaded_in_place
