// The module tree: names, moves in place, modes; and the layers against their functions.
#include <tensorlib/models/resnet.h>

#include <cmath>
#include <sstream>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

struct Net : nn::Module {
  Net() : fc1(4, 3), fc2(nn::LinearOptions(3, 2).bias(false)) {
    register_module("fc1", fc1);
    register_module("fc2", fc2);
    scale = register_parameter("scale", ones({2}));
    seen = register_buffer("seen", zeros({}, kLong));
  }
  Tensor forward(const Tensor& x) { return fc2(fc1(x).relu()) * scale; }
  nn::Linear fc1, fc2;
  Tensor scale, seen;
};

TEST(Module, NamesInOrderOfRegistration) {
  Net net;
  EXPECT_EQ(net.named_parameters().keys(),
            (std::vector<std::string>{"scale", "fc1.weight", "fc1.bias", "fc2.weight"}));
  EXPECT_EQ(net.named_buffers().keys(), std::vector<std::string>{"seen"});
  EXPECT_EQ(net.parameters(false).size(), 1u);
  EXPECT_EQ(net.named_children().keys(), (std::vector<std::string>{"fc1", "fc2"}));
  EXPECT_EQ(net.modules(false).size(), 2u);
  const std::string name = "tensorlib::testing::(anonymous namespace)::Net";
  EXPECT_EQ(net.name(), name);
  EXPECT_EQ(nn::Conv2d(1, 1, 1)->name(), "tensorlib::nn::Conv2dImpl");
  std::ostringstream out;
  out << net;
  EXPECT_EQ(out.str(),
            name +
                "(\n"
                "  (fc1): tensorlib::nn::Linear(in_features=4, out_features=3, bias=true)\n"
                "  (fc2): tensorlib::nn::Linear(in_features=3, out_features=2, bias=false)\n"
                ")");
}

TEST(Module, ErrorsNameParametersByTheClassAlone) {
  const auto text = [](const auto& layer, const Tensor& input) {
    return error_of([&] { (void)layer->forward(input); });
  };
  const Tensor input = ones({1, 1, 2, 2}, kDouble);
  EXPECT_NE(text(nn::Conv2d(1, 1, 1), input).find("\n  Conv2d.weight "), std::string::npos);
  EXPECT_NE(text(nn::BatchNorm2d(1), input).find("\n  BatchNorm2d.weight "), std::string::npos);
}

TEST(Module, MovesInPlaceSoThatHoldersOfAParameterSeeIt) {
  for (const Device& device : cuda_devices()) {
    Net net;
    const Tensor held = net.fc1->weight;
    const auto before = elements(held);
    net.to(device);
    EXPECT_EQ(held.device(), device);
    EXPECT_EQ(elements(held), before);
    for (const Tensor& tensor : net.parameters()) EXPECT_EQ(tensor.device(), device);
    EXPECT_EQ(net.seen.device(), device);
    EXPECT_EQ(net.forward(ones({1, 4}, device)).device(), device);
    net.to(kCPU);
    EXPECT_EQ(held.device(), Device(kCPU));
  }
}

TEST(Module, ConvertsFloatingTensorsOnly) {
  Net net;
  net.to(kDouble);
  EXPECT_EQ(net.fc1->weight.dtype(), kDouble);
  EXPECT_EQ(net.seen.dtype(), kLong);
  EXPECT_EQ(net.forward(ones({1, 4}, kDouble)).dtype(), kDouble);
}

TEST(Module, TrainingModeReachesTheWholeTree) {
  nn::Sequential model(nn::Linear(2, 2), nn::Dropout(0.5));
  EXPECT_TRUE(model->is_training());
  model->eval();
  EXPECT_FALSE((*model)[1]->is_training());
  const Tensor x = ones({1, 2});
  EXPECT_EQ(elements(model(x)), elements(model(x)));
}

TEST(Module, BadNamesAreErrors) {
  Net net;
  EXPECT_THROW(net.register_parameter("scale", ones({1})), Error);
  EXPECT_THROW(net.register_buffer("a.b", ones({1})), Error);
  EXPECT_THROW(net.register_module("", nn::Linear(1, 1)), Error);
  nn::Linear empty = nullptr;
  EXPECT_TRUE(empty.is_empty());
  EXPECT_THROW((void)empty->weight, std::logic_error);
}

TEST(Sequential, CallsOneAfterTheOther) {
  nn::Sequential model(nn::Linear(4, 3), nn::ReLU(), nn::Functional(tensorlib::exp));
  const auto& layer = *(*model)[0]->as<nn::LinearImpl>();
  const Tensor x = rand({2, 4});
  EXPECT_EQ(elements(model(x)), elements(layer.forward(x).relu().exp()));
  EXPECT_EQ(model->named_parameters().keys(), (std::vector<std::string>{"0.weight", "0.bias"}));
  EXPECT_THROW((void)nn::Sequential()(x), Error);
}

TEST(Layers, BatchNormTracksAndUsesRunningStatistics) {
  for (const Device& device : devices()) {
    nn::BatchNorm2d norm(nn::BatchNorm2dOptions(2).momentum(0.5));
    norm->to(device);
    const Tensor x = rand({4, 2, 3, 3}).to(device);
    (void)norm(x);
    EXPECT_EQ(norm->num_batches_tracked.item<int64_t>(), 1);
    EXPECT_TRUE(near(elements(norm->running_mean), elements(x.mean({0, 2, 3}) * 0.5), 1e-6));
    norm->eval();
    EXPECT_NE(elements(norm(x)), elements(x));
    EXPECT_EQ(norm->num_batches_tracked.item<int64_t>(), 1);
    EXPECT_THROW((void)norm(ones({2, 2}, device)), ShapeError);
  }
}

TEST(Layers, ConvAndPoolingPassTheirOptionsOn) {
  nn::Conv2d conv(nn::Conv2dOptions(3, 4, {3, 5}).stride(2).padding({1, 2}).bias(false));
  EXPECT_FALSE(conv->bias.defined());
  EXPECT_EQ(conv(ones({1, 3, 8, 8})).sizes(), std::vector<int64_t>({1, 4, 4, 4}));
  EXPECT_EQ(nn::MaxPool2d(2)(ones({1, 1, 4, 4})).sizes(), std::vector<int64_t>({1, 1, 2, 2}));
  EXPECT_EQ(nn::Flatten()(ones({2, 3, 4})).sizes(), std::vector<int64_t>({2, 12}));
  EXPECT_THROW(nn::Conv2d(nn::Conv2dOptions(3, 4, 3).groups(2)), ShapeError);
}

TEST(Losses, AgreeWithTheirDefinition) {
  for (const Device& device : devices()) {
    const Tensor scores = tensor({{1., 2., 0.5}, {0.1, 0.2, 3.}}).to(device);
    const Tensor target = tensor({1, 0}).to(device);
    const auto log_p = elements(scores.log_softmax(1));
    const double a = -log_p[1], b = -log_p[3];
    EXPECT_NEAR(cross_entropy_loss(scores, target).item<double>(), (a + b) / 2, 1e-6);
    EXPECT_NEAR(nll_loss(scores.log_softmax(1), target, {}, Reduction::Sum).item<double>(), a + b,
                1e-6);
    const Tensor weight = tensor({1., 3., 1.}).to(device);
    EXPECT_NEAR(cross_entropy_loss(scores, target, weight).item<double>(), (3 * a + b) / 4, 1e-6);
    EXPECT_NEAR(mse_loss(scores, zeros_like(scores)).item<double>(),
                scores.square().mean().item<double>(), 1e-6);
  }
}

TEST(Losses, AreThoseOfLibTorch) {
  // What LibTorch 1.13 gives for the same calls.
  const Tensor scores = tensor({{1., 2., 0.5}, {0.1, 0.2, 3.}});
  const Tensor weight = tensor({1., 3., 1.}), target = tensor({1, 0});
  EXPECT_NEAR(cross_entropy_loss(scores, target, weight, kMean, -100, 0.2).item<double>(),
              1.1583725, 1e-5);
  EXPECT_NEAR(cross_entropy_loss(scores, target, {}, kMean, 0).item<double>(), 0.46436879, 1e-5);
  EXPECT_NEAR(cross_entropy_loss(scores, target, weight, kSum, 0, 0.3).item<double>(), 1.4573588,
              1e-5);
  EXPECT_NEAR(smooth_l1_loss(scores, zeros_like(scores), kMean, 0.5).item<double>(), 0.92500001,
              1e-5);
  EXPECT_NEAR(huber_loss(scores, zeros_like(scores), kSum, 0.5).item<double>(), 2.7750001, 1e-5);
  EXPECT_NEAR(l1_loss(scores, zeros_like(scores)).item<double>(), 6.8 / 6, 1e-6);
  EXPECT_NEAR(binary_cross_entropy(scores.sigmoid(), zeros_like(scores)).item<double>(), 1.5008982,
              1e-5);
  EXPECT_NEAR(binary_cross_entropy_with_logits(scores, zeros_like(scores)).item<double>(),
              1.5008984, 1e-5);
  // A probability of 0 or 1 costs 100 and has a finite gradient.
  const Tensor sure = tensor({0., 1.}).requires_grad_();
  const Tensor loss = binary_cross_entropy(sure, tensor({1., 1.}), {}, kSum);
  EXPECT_EQ(loss.item<double>(), 100);
  loss.backward();
  EXPECT_TRUE(std::isfinite(sure.grad().abs().sum().item<double>()));
  EXPECT_EQ(nn::MSELoss()(scores, scores + 1).item<double>(), 1);
  EXPECT_EQ(nn::L1Loss(kSum)(scores, scores + 1).item<float>(), 6);
  EXPECT_THROW((void)nll_loss(ones({2, 3}), tensor({0, 3})), IndexError);
  EXPECT_THROW((void)nll_loss(ones({2, 3}), tensor({0})), ShapeError);
}

TEST(ResNet, Of50LayersHasBottlenecks) {
  auto model = models::resnet50(10);
  model->eval();
  EXPECT_EQ(model->parameters().size(), 161u);
  int64_t count = 0;
  for (const Tensor& parameter : model->parameters()) count += parameter.numel();
  EXPECT_EQ(count, 23528522);  // torchvision's
  EXPECT_TRUE(model->named_parameters().contains("layer1.0.downsample.0.weight"));
  EXPECT_TRUE(model->named_parameters().contains("layer3.5.conv3.weight"));
  EXPECT_EQ(model(rand({1, 3, 32, 32})).sizes(), std::vector<int64_t>({1, 10}));
}

TEST(ResNet, HasTheNamesOfTorchvisionAndRunsAlikeOnEveryDevice) {
  manual_seed(0);
  auto model = models::resnet18(10);
  model->eval();
  EXPECT_EQ(model->parameters().size(), 62u);
  int64_t count = 0;
  for (const Tensor& parameter : model->parameters()) count += parameter.numel();
  EXPECT_EQ(count, 11181642);
  EXPECT_TRUE(model->named_parameters().contains("layer2.0.downsample.0.weight"));
  EXPECT_TRUE(model->named_buffers().contains("layer4.1.bn2.running_var"));
  const Tensor image = rand({1, 3, 64, 64});
  const auto expected = elements(model(image));
  for (const Device& device : cuda_devices()) {
    model->to(device);
    EXPECT_TRUE(near(elements(model(image.to(device))), expected, 1e-3));
    EXPECT_THROW((void)model(image), DeviceMismatchError);
  }
}

}  // namespace
}  // namespace tensorlib::testing
