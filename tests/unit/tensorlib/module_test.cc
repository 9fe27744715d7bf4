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

TEST(Sequential, NamesItsModules) {
  nn::Sequential model({{"fc", nn::Linear(4, 3)}, {"act", nn::ReLU()}});
  model->push_back("last", nn::Linear(3, 2));
  EXPECT_EQ(model->named_children().keys(), (std::vector<std::string>{"fc", "act", "last"}));
  EXPECT_EQ(model(ones({1, 4})).sizes(), std::vector<int64_t>({1, 2}));
  EXPECT_EQ(model[2]->as<nn::Linear>()->weight.size(0), 2);
}

TEST(Functional, TakesWhatStandsBehindTheInput) {
  const Tensor x = rand({1, 1, 5, 5});
  nn::Sequential model(nn::Functional(max_pool2d, 2, 1, 0, 1, false),
                       nn::Functional(reshape, ExpandingArray<2>({1, -1})),
                       nn::Functional([](const Tensor& t, double by) { return t * by; }, 2));
  EXPECT_EQ(elements(model(x)), elements(max_pool2d(x, 2, 1).reshape({1, -1}) * 2));
}

struct CopiedImpl : nn::Cloneable<CopiedImpl> {
  explicit CopiedImpl(int64_t width) : width(width) { reset(); }
  void reset() override {
    fc = register_module("fc", nn::Linear(width, 2));
    layers = register_module("layers", nn::Sequential());
    scale = register_parameter("scale", ones({2}));
    seen = register_buffer("seen", zeros({}, kLong));
  }
  Tensor forward(const Tensor& x) { return layers(fc(x)) * scale; }
  int64_t width;
  int calls = 0;
  nn::Linear fc = nullptr;
  nn::Sequential layers = nullptr;
  Tensor scale, seen;
};
TENSORLIB_MODULE(Copied);

TEST(Clone, HasTensorsOfItsOwn) {
  for (const Device& device : devices()) {
    Copied model(3);
    model->layers->push_back(nn::Linear(2, 2));
    model->layers->push_back("act", nn::Functional(tensorlib::tanh));
    model->fc->weight.requires_grad_(false);
    model->calls = 7;
    model->eval();
    const auto copy = std::dynamic_pointer_cast<CopiedImpl>(model->clone(device));
    ASSERT_NE(copy, nullptr);
    EXPECT_EQ(copy->calls, 7);
    EXPECT_FALSE(copy->is_training());
    EXPECT_FALSE(copy->fc->weight.requires_grad());
    EXPECT_TRUE(copy->scale.requires_grad());
    EXPECT_EQ(copy->device(), device);
    EXPECT_EQ(copy->named_parameters().keys(), model->named_parameters().keys());
    const Tensor x = rand({4, 3});
    const auto before = elements(model(x));
    EXPECT_TRUE(near(elements(copy->forward(x.to(device))), before, 1e-5));
    NoGradGuard no_grad;
    for (const Tensor& tensor : copy->parameters()) tensor.zero_();
    EXPECT_EQ(elements(model(x)), before);
  }
}

TEST(Clone, OfEveryLayerGivesTheSame) {
  const Tensor image = rand({2, 4, 6, 6}), rows = rand({3, 4});
  const auto same = [](auto layer, const Tensor& x) {
    layer->eval();
    using Impl = std::decay_t<decltype(*layer)>;
    const auto copy = std::dynamic_pointer_cast<Impl>(layer->clone());
    EXPECT_EQ(elements(copy->forward(x)), elements(layer->forward(x))) << layer->name();
    for (const Tensor& own : layer->parameters()) {
      for (const Tensor& copied : copy->parameters()) EXPECT_FALSE(copied.is_alias_of(own));
    }
  };
  same(nn::Conv2d(nn::Conv2dOptions(4, 2, 3).stride(2)), image);
  same(nn::ConvTranspose2d(4, 2, 3), image);
  same(nn::Conv1d(4, 2, 3), image.flatten(2));
  same(nn::BatchNorm2d(4), image);
  same(nn::MaxPool2d(2), image);
  same(nn::LayerNorm(std::vector<int64_t>{4}), rows);
  same(nn::Linear(4, 2), rows);
  same(nn::Embedding(5, 3), tensor({1, 4}));
  same(nn::GRUCell(4, 2), rows);
  same(nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.5)), rows - 0.5);
  same(nn::GELU(), rows);
  same(nn::Sequential(nn::Linear(4, 2), nn::Dropout(0.9)), rows);

  nn::CrossEntropyLoss loss(nn::CrossEntropyLossOptions().weight(tensor({1.0, 2.0, 3.0, 4.0})));
  const auto copy = std::dynamic_pointer_cast<nn::CrossEntropyLossImpl>(loss->clone());
  EXPECT_FALSE(copy->options.weight().is_alias_of(loss->options.weight()));
  EXPECT_EQ(copy->options.weight().is_alias_of(copy->named_buffers()["weight"]), true);
  const Tensor target = tensor({0, 1, 3});
  EXPECT_EQ(elements(copy->forward(rows, target)), elements(loss(rows, target)));
}

TEST(Init, OrthogonalRowsOrColumns) {
  for (const Device& device : devices()) {
    for (const auto& sizes : {std::vector<int64_t>{3, 5}, {5, 3}, {4, 2, 2}}) {
      const Tensor w = nn::init::orthogonal_(empty(sizes, device), 2).flatten(1);
      const Tensor products = w.size(0) > w.size(1) ? w.t().mm(w) : w.mm(w.t());
      EXPECT_TRUE(near(elements(products), elements(eye(products.size(0)) * 4), 1e-5))
          << IntArrayRef(sizes);
    }
  }
  EXPECT_THROW((void)nn::init::orthogonal_(empty({3})), ShapeError);
}

TEST(Clone, SaysWhatIsMissing) {
  const Net net;
  EXPECT_NE(error_of([&] { (void)net.clone(); }).find("nn::Cloneable<"), std::string::npos);
  Copied model(3);
  model->register_parameter("late", ones({1}));
  EXPECT_NE(error_of([&] { (void)model->clone(); }).find("register all of them in reset()"),
            std::string::npos);
}

TEST(Module, NamedModulesAreTheTree) {
  const auto model =
      std::make_shared<nn::SequentialImpl>(nn::Linear(1, 1), nn::Sequential(nn::ReLU()));
  EXPECT_EQ(model->named_modules().keys(), (std::vector<std::string>{"", "0", "1", "1.0"}));
  EXPECT_EQ(model->named_modules("net").keys(),
            (std::vector<std::string>{"net", "net.0", "net.1", "net.1.0"}));
}

TEST(Init, KeepsTheVarianceThatItSays) {
  manual_seed(1);
  const auto deviation = [](const Tensor& tensor) { return tensor.std(false).item<double>(); };
  const Tensor weight = empty({200, 400});
  const auto expect = [&](double expected) { EXPECT_NEAR(deviation(weight) / expected, 1, 0.02); };
  nn::init::xavier_normal_(weight, 2);
  expect(2 * std::sqrt(2.0 / 600));
  nn::init::kaiming_normal_(weight, 0, kFanOut, kReLU);
  expect(std::sqrt(2.0 / 200));
  nn::init::kaiming_uniform_(weight, 0, kFanIn, kTanh);
  expect(5.0 / 3 / std::sqrt(400.0));
  nn::init::xavier_uniform_(weight, nn::init::calculate_gain(kLeakyReLU, 1));
  expect(std::sqrt(2.0 / 600));
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
