#pragma once
// ResNet-18 (He et al., "Deep Residual Learning for Image Recognition", 2015) in LibTorch's API.

#include "seed.h"

namespace seed {

inline torch::nn::Conv2dOptions conv_options(int64_t in, int64_t out, int64_t kernel,
                                             int64_t stride, int64_t padding) {
  return torch::nn::Conv2dOptions(in, out, kernel).stride(stride).padding(padding).bias(false);
}

// Two 3x3 convolutions and a way around them, which is a 1x1 convolution where the shape changes.
struct BasicBlockImpl : torch::nn::Module {
  BasicBlockImpl(int64_t in, int64_t out, int64_t stride)
      : conv1(conv_options(in, out, 3, stride, 1)),
        bn1(out),
        conv2(conv_options(out, out, 3, 1, 1)),
        bn2(out) {
    register_module("conv1", conv1);
    register_module("bn1", bn1);
    register_module("conv2", conv2);
    register_module("bn2", bn2);
    if (stride != 1 || in != out) {
      downsample->push_back(torch::nn::Conv2d(conv_options(in, out, 1, stride, 0)));
      downsample->push_back(torch::nn::BatchNorm2d(out));
    }
    register_module("downsample", downsample);
  }

  torch::Tensor forward(const torch::Tensor& x) {
    torch::Tensor y = torch::relu(bn1->forward(conv1->forward(x)));
    y = bn2->forward(conv2->forward(y));
    const torch::Tensor around = downsample->is_empty() ? x : downsample->forward(x);
    return torch::relu(y + around);
  }

  torch::nn::Conv2d conv1;
  torch::nn::BatchNorm2d bn1;
  torch::nn::Conv2d conv2;
  torch::nn::BatchNorm2d bn2;
  torch::nn::Sequential downsample;
};
TORCH_MODULE(BasicBlock);

struct ResNet18Impl : torch::nn::Module {
  explicit ResNet18Impl(int64_t classes)
      : conv1(conv_options(3, 64, 7, 2, 3)),
        bn1(64),
        pool(torch::nn::MaxPool2dOptions(3).stride(2).padding(1)),
        layer1(layer(64, 64, 1)),
        layer2(layer(64, 128, 2)),
        layer3(layer(128, 256, 2)),
        layer4(layer(256, 512, 2)),
        average(torch::nn::AdaptiveAvgPool2dOptions({1, 1})),
        fc(512, classes) {
    register_module("conv1", conv1);
    register_module("bn1", bn1);
    register_module("pool", pool);
    register_module("layer1", layer1);
    register_module("layer2", layer2);
    register_module("layer3", layer3);
    register_module("layer4", layer4);
    register_module("average", average);
    register_module("fc", fc);
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(bn1->forward(conv1->forward(x)));
    x = pool->forward(x);
    x = layer1->forward(x);
    x = layer2->forward(x);
    x = layer3->forward(x);
    x = layer4->forward(x);
    x = average->forward(x);
    return fc->forward(torch::flatten(x, 1));
  }

  static torch::nn::Sequential layer(int64_t in, int64_t out, int64_t stride) {
    return torch::nn::Sequential(BasicBlock(in, out, stride), BasicBlock(out, out, 1));
  }

  torch::nn::Conv2d conv1;
  torch::nn::BatchNorm2d bn1;
  torch::nn::MaxPool2d pool;
  torch::nn::Sequential layer1;
  torch::nn::Sequential layer2;
  torch::nn::Sequential layer3;
  torch::nn::Sequential layer4;
  torch::nn::AdaptiveAvgPool2d average;
  torch::nn::Linear fc;
};
TORCH_MODULE(ResNet18);

}  // namespace seed
