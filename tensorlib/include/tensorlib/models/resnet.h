// ResNet-18, ResNet-34 and ResNet-50 (He et al., 2015), as torchvision lays them out, so that its
// weights fit by name.
//
// Written with nothing but what LibTorch's C++ API has too: with TENSORLIB_MODELS_ON_LIBTORCH
// defined the same source makes LibTorch models, under the same name tensorlib::models.
#pragma once

#include <vector>

#ifdef TENSORLIB_MODELS_ON_LIBTORCH
#include <torch/torch.h>
#else
#include <tensorlib/tensorlib.h>
#endif

namespace tensorlib::models {

#ifdef TENSORLIB_MODELS_ON_LIBTORCH
namespace torch = ::torch;
#define TENSORLIB_SITE_PARAMETER
#define TENSORLIB_SITE
#else
namespace torch = ::tensorlib;
// The line of the call goes along: errors name it, not one of this file.
#define TENSORLIB_SITE_PARAMETER , torch::CallSite site = torch::CallSite::current()
#define TENSORLIB_SITE , site
#endif

inline torch::nn::Conv2dOptions conv_options(int64_t in, int64_t out, int64_t kernel,
                                             int64_t stride = 1, int64_t padding = 0) {
  return torch::nn::Conv2dOptions(in, out, kernel).stride(stride).padding(padding).bias(false);
}

// The shortcut around a block, where the block changes the shape; else empty.
inline torch::nn::Sequential way_around(int64_t in, int64_t out, int64_t stride) {
  if (stride == 1 && in == out) return nullptr;
  return torch::nn::Sequential(torch::nn::Conv2d(conv_options(in, out, 1, stride)),
                               torch::nn::BatchNorm2d(out));
}

// Two 3x3 convolutions and a way around them.
class BasicBlockImpl : public torch::nn::Module {
 public:
  BasicBlockImpl(int64_t in, int64_t out, int64_t stride)
      : conv1(conv_options(in, out, 3, stride, 1)),
        bn1(out),
        conv2(conv_options(out, out, 3, 1, 1)),
        bn2(out) {
    register_module("conv1", conv1);
    register_module("bn1", bn1);
    register_module("conv2", conv2);
    register_module("bn2", bn2);
    downsample = way_around(in, out, stride);
    if (!downsample.is_empty()) register_module("downsample", downsample);
  }

  torch::Tensor forward(torch::Tensor x TENSORLIB_SITE_PARAMETER) {
    torch::Tensor identity = downsample.is_empty() ? x : downsample->forward(x TENSORLIB_SITE);
    x = conv1->forward(x TENSORLIB_SITE);
    x = bn1->forward(x TENSORLIB_SITE).relu_();
    x = conv2->forward(x TENSORLIB_SITE);
    x = bn2->forward(x TENSORLIB_SITE);
    x += identity;
    return x.relu_();
  }

  torch::nn::Conv2d conv1;
  torch::nn::BatchNorm2d bn1;
  torch::nn::Conv2d conv2;
  torch::nn::BatchNorm2d bn2;
  torch::nn::Sequential downsample = nullptr;
};
TORCH_MODULE(BasicBlock);

// A 3x3 convolution between two of 1x1, the first of which makes the channels fewer, the last four
// times as many as that.
class BottleneckImpl : public torch::nn::Module {
 public:
  BottleneckImpl(int64_t in, int64_t width, int64_t stride)
      : conv1(conv_options(in, width, 1)),
        bn1(width),
        conv2(conv_options(width, width, 3, stride, 1)),
        bn2(width),
        conv3(conv_options(width, 4 * width, 1)),
        bn3(4 * width) {
    register_module("conv1", conv1);
    register_module("bn1", bn1);
    register_module("conv2", conv2);
    register_module("bn2", bn2);
    register_module("conv3", conv3);
    register_module("bn3", bn3);
    downsample = way_around(in, 4 * width, stride);
    if (!downsample.is_empty()) register_module("downsample", downsample);
  }

  torch::Tensor forward(torch::Tensor x TENSORLIB_SITE_PARAMETER) {
    torch::Tensor identity = downsample.is_empty() ? x : downsample->forward(x TENSORLIB_SITE);
    x = conv1->forward(x TENSORLIB_SITE);
    x = bn1->forward(x TENSORLIB_SITE).relu_();
    x = conv2->forward(x TENSORLIB_SITE);
    x = bn2->forward(x TENSORLIB_SITE).relu_();
    x = conv3->forward(x TENSORLIB_SITE);
    x = bn3->forward(x TENSORLIB_SITE);
    x += identity;
    return x.relu_();
  }

  torch::nn::Conv2d conv1;
  torch::nn::BatchNorm2d bn1;
  torch::nn::Conv2d conv2;
  torch::nn::BatchNorm2d bn2;
  torch::nn::Conv2d conv3;
  torch::nn::BatchNorm2d bn3;
  torch::nn::Sequential downsample = nullptr;
};
TORCH_MODULE(Bottleneck);

class ResNetImpl : public torch::nn::Module {
 public:
  // `layers`: the number of blocks in each of the four stages; basic ones, or bottlenecks.
  explicit ResNetImpl(const std::vector<int64_t>& layers, int64_t num_classes = 1000,
                      bool bottlenecks = false)
      : conv1(conv_options(3, 64, 7, 2, 3)),
        bn1(64),
        maxpool(torch::nn::MaxPool2dOptions(3).stride(2).padding(1)),
        layer1(stage(bottlenecks, 64, 64, layers[0], 1)),
        layer2(stage(bottlenecks, bottlenecks ? 256 : 64, 128, layers[1], 2)),
        layer3(stage(bottlenecks, bottlenecks ? 512 : 128, 256, layers[2], 2)),
        layer4(stage(bottlenecks, bottlenecks ? 1024 : 256, 512, layers[3], 2)),
        avgpool(torch::nn::AdaptiveAvgPool2dOptions({1, 1})),
        fc(bottlenecks ? 2048 : 512, num_classes) {
    register_module("conv1", conv1);
    register_module("bn1", bn1);
    register_module("maxpool", maxpool);
    register_module("layer1", layer1);
    register_module("layer2", layer2);
    register_module("layer3", layer3);
    register_module("layer4", layer4);
    register_module("avgpool", avgpool);
    register_module("fc", fc);
  }

  torch::Tensor forward(torch::Tensor x TENSORLIB_SITE_PARAMETER) {
    x = conv1->forward(x TENSORLIB_SITE);
    x = bn1->forward(x TENSORLIB_SITE).relu_();
    x = maxpool->forward(x TENSORLIB_SITE);
    x = layer1->forward(x TENSORLIB_SITE);
    x = layer2->forward(x TENSORLIB_SITE);
    x = layer3->forward(x TENSORLIB_SITE);
    x = layer4->forward(x TENSORLIB_SITE);
    x = avgpool->forward(x TENSORLIB_SITE);
    return fc->forward(x.flatten(1) TENSORLIB_SITE);
  }

  torch::nn::Conv2d conv1;
  torch::nn::BatchNorm2d bn1;
  torch::nn::MaxPool2d maxpool;
  torch::nn::Sequential layer1, layer2, layer3, layer4;
  torch::nn::AdaptiveAvgPool2d avgpool;
  torch::nn::Linear fc;

 private:
  static torch::nn::Sequential stage(bool bottlenecks, int64_t in, int64_t width, int64_t blocks,
                                     int64_t stride) {
    torch::nn::Sequential layers;
    for (int64_t i = 0; i < blocks; ++i) {
      if (bottlenecks) {
        layers->push_back(Bottleneck(i == 0 ? in : 4 * width, width, i == 0 ? stride : 1));
      } else {
        layers->push_back(BasicBlock(i == 0 ? in : width, width, i == 0 ? stride : 1));
      }
    }
    return layers;
  }
};
TORCH_MODULE(ResNet);

inline ResNet resnet18(int64_t num_classes = 1000) {
  return ResNet(std::vector<int64_t>{2, 2, 2, 2}, num_classes);
}
inline ResNet resnet34(int64_t num_classes = 1000) {
  return ResNet(std::vector<int64_t>{3, 4, 6, 3}, num_classes);
}
inline ResNet resnet50(int64_t num_classes = 1000) {
  return ResNet(std::vector<int64_t>{3, 4, 6, 3}, num_classes, true);
}

}  // namespace tensorlib::models

#undef TENSORLIB_SITE_PARAMETER
#undef TENSORLIB_SITE
