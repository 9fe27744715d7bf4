// Names the classes of an image, by a ResNet-18 and weights that Python saved:
//
//   import torchvision, safetensors.torch
//   weights = torchvision.models.ResNet18_Weights.DEFAULT
//   model = torchvision.models.resnet18(weights=weights)
//   safetensors.torch.save_file(model.state_dict(), "resnet18.safetensors")
//   open("classes.txt", "w").write("\n".join(weights.meta["categories"]))
//
// usage: example_classify_image IMAGE [resnet18.safetensors [classes.txt]]
// Without weights they are random, and so is the answer. Exit code 1 and one line for what is
// wrong.

#include <tensorlib/io/image.h>
#include <tensorlib/models/resnet.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace torch = tensorlib;

namespace {

// uint8 [C, H, W] of any size to float32 [1, 3, 224, 224], as torchvision's models want it: the
// middle square, made 224 wide, with the mean and the deviation of ImageNet's colours.
torch::Tensor prepared(torch::Tensor image, torch::Device device) {
  const int64_t side = std::min(image.size(1), image.size(2));
  image = image.narrow(1, (image.size(1) - side) / 2, side)
              .narrow(2, (image.size(2) - side) / 2, side)
              .to(device);  // as bytes: a quarter of what floats would be
  if (image.size(0) == 1) image = image.expand({3, side, side});
  image = image.narrow(0, 0, 3).to(torch::kFloat) / 255;
  image = torch::adaptive_avg_pool2d(image.unsqueeze(0), 224);
  const auto of_channels = [&](std::vector<double> values) {
    return torch::tensor(values, device).view({1, 3, 1, 1});
  };
  return (image - of_channels({0.485, 0.456, 0.406})) / of_channels({0.229, 0.224, 0.225});
}

std::vector<std::string> lines_of(const char* path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(std::string(path) + " cannot be opened");
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void classify(int argc, char** argv) {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard no_grad;
  torch::models::ResNet model = torch::models::resnet18();
  if (argc > 2) torch::load(model, argv[2]);
  model->eval();
  model->to(device);
  const auto names = argc > 3 ? lines_of(argv[3]) : std::vector<std::string>();

  const torch::Tensor image = prepared(torch::io::read_image(argv[1]), device);
  const torch::Tensor chances = model->forward(image).softmax(1)[0];
  const auto [best, classes] = chances.topk(5);
  const torch::Tensor likely = best.cpu(), found = classes.cpu();
  for (int64_t i = 0; i < 5; ++i) {
    const auto index = static_cast<size_t>(found[i].item<int64_t>());
    std::cout << 100 * likely[i].item<float>() << " %  "
              << (index < names.size() ? names[index] : "class " + std::to_string(index)) << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    std::cerr << "usage: " << argv[0] << " IMAGE [resnet18.safetensors [classes.txt]]\n";
    return 2;
  }
  try {
    classify(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
