// Look-alikes of bad_moved_elsewhere: the others do not agree, or what differs has a reason to.

#include <torch/torch.h>

#include <string>

namespace not_moved_elsewhere {

torch::Tensor decode(const std::string& file);

// Some functions move what it gives and some do not: nobody says who is right.
torch::Tensor frame() { return decode("frame"); }
torch::Tensor on_device(torch::nn::Linear& net, torch::Device device) {
  return net->forward(frame().to(device));
}
torch::Tensor here(torch::nn::Linear& net, torch::Device) { return net->forward(frame()); }
torch::Tensor here_too(torch::nn::Linear& net, torch::Device) { return net->forward(frame()); }

// The function has no device to move it to.
torch::Tensor image() { return decode("image"); }
torch::Tensor moved(torch::nn::Linear& net, torch::Device device) {
  return net->forward(image().to(device));
}
torch::Tensor evaluated(torch::nn::Linear& net) { return net->forward(image()); }

// It is computed on the host first.
torch::Tensor picture() { return decode("picture"); }
torch::Tensor scored(torch::nn::Linear& net, torch::Device device) {
  return net->forward(picture().to(device));
}
torch::Tensor centred(torch::nn::Linear& net, const torch::Tensor& mean, torch::Device device) {
  auto difference = picture() - mean;
  return net->forward(difference.to(device));
}

// Its network stays on the CPU.
torch::Tensor sound() { return decode("sound"); }
torch::Tensor classified(torch::nn::Linear& net, torch::Device device) {
  return net->forward(sound().to(device));
}
torch::Tensor traced(torch::Device device) {
  torch::nn::Linear net(8, 8);
  return net->forward(sound()).to(device);
}

// It is moved on one path, and the other is for the CPU.
torch::Tensor text() { return decode("text"); }
torch::Tensor read(torch::nn::Linear& net, torch::Device device) {
  return net->forward(text().to(device));
}
torch::Tensor read_if_asked(torch::nn::Linear& net, torch::Device device) {
  auto words = text();
  if (!device.is_cpu()) words = words.to(device);
  return net->forward(words);
}

// The others move it to the CPU.
torch::Tensor depth() { return decode("depth"); }
torch::Tensor on_host(torch::nn::Linear& net) { return net->forward(depth().to(torch::kCPU)); }
torch::Tensor as_it_comes(torch::nn::Linear& net, torch::Device) { return net->forward(depth()); }

}  // namespace not_moved_elsewhere
