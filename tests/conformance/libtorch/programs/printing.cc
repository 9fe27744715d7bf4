// Printed tensors and modules.
#include <torch/torch.h>

#include <cmath>
#include <cstdio>
#include <iostream>

namespace nn = torch::nn;
int main() {
  double nan = std::nan(""), inf = INFINITY;
  using torch::tensor;
  std::vector<torch::Tensor> all{tensor(1.5),
                                 tensor(3),
                                 tensor(true),
                                 tensor({1, 2, 30}),
                                 tensor({0.001, 0.002}),
                                 tensor({1e-9, 1.0}),
                                 tensor({1e6, 2e6, 1.5}),
                                 tensor({1e10, 2.0}),
                                 tensor({nan, 1.0, inf}),
                                 tensor({nan, nan}),
                                 tensor({-1.5, 2.25}),
                                 tensor({-1000.5, 2.25}),
                                 tensor({123456.5, 223456.25}),
                                 tensor({true, false}),
                                 torch::arange(30).view({5, 6}),
                                 torch::arange(120).view({2, 60}),
                                 torch::arange(24).view({2, 3, 4}) * 0.5,
                                 torch::zeros({0}),
                                 torch::zeros({0, 3}),
                                 torch::zeros({2, 0, 3}),
                                 torch::arange(6).to(torch::kHalf),
                                 torch::arange(6).to(torch::kBFloat16) * 0.1,
                                 torch::arange(16).view({2, 2, 2, 2}),
                                 tensor({1e-300, 1e300}, torch::kDouble),
                                 tensor({0.0, 0.0}),
                                 torch::arange(40).view({2, 20}) * 0.01,
                                 torch::randn({0}).sum(),
                                 torch::arange(4).to(torch::kByte),
                                 torch::arange(4).to(torch::kChar),
                                 torch::arange(4).to(torch::kShort),
                                 torch::arange(4).to(torch::kInt),
                                 tensor({1e9, 5.0}),
                                 tensor({9.99999, 1.0}),
                                 tensor({-0.0, 1.0}),
                                 tensor({{0.001, -0.02}, {0.03, 0.004}}),
                                 torch::arange(8).view({2, 2, 2}) * 1e-3,
                                 torch::randint(0, 10, {3}),
                                 tensor({0.5, -1000.5, 2.25}),
                                 tensor({-1000.5, 0.5}),
                                 tensor({0.001, -0.05}),
                                 tensor({1.5, -123456.5}),
                                 tensor({2, -100000}),
                                 tensor({inf, 0.5, -2000.25}),
                                 tensor({0.0, -0.005}),
                                 tensor({-0.005, 0.0}),
                                 tensor({{1.5, 2.5}, {-1e7, 3.0}}),
                                 tensor({1e-3, -1e6}),
                                 torch::Tensor()};
  int k = 0;
  for (auto& t : all) {
    std::cout << "--" << k++ << "\n" << t << "\n";
  }
  std::cout << torch::ones({2}).requires_grad_() << "\n"
            << (torch::ones({2}).requires_grad_() * 2) << "\n";
  std::cout << torch::ones({2, 3}).sizes() << torch::ones({2, 3}).strides() << " " << torch::kCPU
            << " " << torch::Device("cuda:1") << " " << torch::kFloat << " "
            << torch::ones({1}).scalar_type() << " " << torch::Scalar(3) << torch::Scalar(2.5)
            << "\n";
  std::cout << nn::Linear(2, 3) << "\n"
            << nn::Linear(nn::LinearOptions(2, 3).bias(false)) << "\n"
            << nn::Conv1d(2, 3, 4) << "\n"
            << nn::Conv2d(
                   nn::Conv2dOptions(2, 4, {3, 5}).stride(2).padding({1, 2}).groups(2).bias(false))
            << "\n"
            << nn::ConvTranspose2d(
                   nn::ConvTranspose2dOptions(2, 3, 4).stride(2).output_padding(1).dilation(2))
            << "\n"
            << nn::BatchNorm1d(4) << "\n"
            << nn::BatchNorm2d(nn::BatchNorm2dOptions(4).affine(false)) << "\n"
            << nn::LayerNorm(nn::LayerNormOptions({2, 3})) << "\n"
            << nn::Embedding(3, 4) << "\n"
            << nn::Embedding(nn::EmbeddingOptions(3, 4).padding_idx(1)) << "\n"
            << nn::Dropout(0.3) << "\n"
            << nn::Dropout2d() << "\n"
            << nn::ReLU() << "\n"
            << nn::ReLU(true) << "\n"
            << nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2)) << "\n"
            << nn::Sigmoid() << "\n"
            << nn::Tanh() << "\n"
            << nn::GELU() << "\n"
            << nn::SiLU() << "\n"
            << nn::Softmax(1) << "\n"
            << nn::LogSoftmax(1) << "\n"
            << nn::MaxPool2d(2) << "\n"
            << nn::MaxPool2d(nn::MaxPool2dOptions({3, 2}).stride(1).padding(1)) << "\n"
            << nn::AvgPool2d(2) << "\n"
            << nn::AdaptiveAvgPool2d(nn::AdaptiveAvgPool2dOptions({2, 3})) << "\n"
            << nn::Flatten() << "\n"
            << nn::Identity() << "\n"
            << nn::MSELoss() << "\n"
            << nn::L1Loss() << "\n"
            << nn::CrossEntropyLoss() << "\n"
            << nn::NLLLoss() << "\n"
            << nn::BCELoss() << "\n"
            << nn::BCEWithLogitsLoss() << "\n"
            << nn::SmoothL1Loss() << "\n"
            << nn::HuberLoss() << "\n";
  std::cout << nn::ELU() << "\n"
            << nn::SELU() << "\n"
            << nn::ReLU6(nn::ReLU6Options(true)) << "\n"
            << nn::Hardtanh(nn::HardtanhOptions().min_val(0).max_val(2)) << "\n"
            << nn::Softplus(nn::SoftplusOptions().beta(2)) << "\n"
            << nn::PReLU() << "\n"
            << nn::LogSigmoid() << "\n"
            << nn::Mish() << "\n"
            << nn::GLU() << "\n"
            << nn::GroupNorm(2, 4) << "\n"
            << nn::InstanceNorm2d(nn::InstanceNorm2dOptions(4).affine(true)) << "\n"
            << nn::LocalResponseNorm(2) << "\n"
            << nn::MaxPool1d(2) << "\n"
            << nn::AvgPool1d(nn::AvgPool1dOptions(3).stride(2)) << "\n"
            << nn::AdaptiveAvgPool1d(5) << "\n"
            << nn::AdaptiveMaxPool2d(nn::AdaptiveMaxPool2dOptions({2, 3})) << "\n"
            << nn::Upsample(nn::UpsampleOptions().scale_factor(std::vector<double>{2, 1.5})) << "\n"
            << nn::Upsample(nn::UpsampleOptions()
                                .size(std::vector<int64_t>{4})
                                .mode(torch::kBilinear)
                                .align_corners(true))
            << "\n"
            << nn::ZeroPad2d(2) << "\n"
            << nn::ConstantPad1d(nn::ConstantPad1dOptions({1, 2}, 3.5)) << "\n"
            << nn::ReflectionPad2d(nn::ReflectionPad2dOptions({1, 2, 3, 4})) << "\n"
            << nn::ReplicationPad1d(1) << "\n"
            << nn::PixelShuffle(3) << "\n"
            << nn::Unflatten(nn::UnflattenOptions(1, {2, 3})) << "\n"
            << nn::CosineSimilarity() << "\n"
            << nn::Dropout(nn::DropoutOptions(0.2).inplace(true)) << "\n";
  for (const torch::Dtype type :
       {torch::kByte, torch::kChar, torch::kShort, torch::kInt, torch::kLong, torch::kHalf,
        torch::kBFloat16, torch::kFloat, torch::kDouble, torch::kBool}) {
    const torch::Tensor x = torch::zeros({1}, type);
    std::cout << type << " " << x.dtype() << " " << x.dtype().name() << " " << x.scalar_type()
              << " " << (x.dtype() == type ? "equal" : "other") << "\n";
  }
  std::cout << torch::ones({2}).layout() << "\n"
            << torch::TensorOptions(torch::kLong) << "\n"
            << torch::ones({2}).options() << "\n"
            << torch::TensorOptions().layout(torch::kStrided).requires_grad(true) << "\n"
            << std::noboolalpha;  // LibTorch leaves it on
  nn::Sequential s(nn::Linear(1, 2), nn::ReLU(), nn::Linear(2, 2));
  std::cout << s << "\n" << nn::Sequential() << "\n";
  nn::ModuleList list(nn::Linear(1, 2));
  std::cout << list << "\n" << nn::ModuleList() << "\n";
  struct NetImpl : nn::Module {
    nn::Linear a{1, 2};
    NetImpl() { register_module("a", a); }
  };
  std::cout << NetImpl() << "\n" << nn::Linear(1, 1)->name() << "\n";
}
