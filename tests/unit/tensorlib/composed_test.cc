// Edge cases of operations that are made of others: shapes in place, activations far
// out, wrong use. Their values are compared with LibTorch's by tests/conformance.
#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

using Numbers = std::vector<double>;
using Sizes = std::vector<int64_t>;

TEST(ShapeInPlace, IsThatOfEveryHandle) {
  for (const Device device : devices()) {
    Tensor x = arange(6, TensorOptions(device).dtype(kFloat)).view({2, 3}).clone();
    const Tensor other = x;
    x.unsqueeze_(0);
    EXPECT_EQ(other.sizes().vec(), (Sizes{1, 2, 3}));
    x.squeeze_(0).transpose_(0, 1);
    EXPECT_EQ(other.sizes().vec(), (Sizes{3, 2}));
    EXPECT_EQ(elements(other), (Numbers{0, 3, 1, 4, 2, 5}));
    EXPECT_FALSE(other.is_contiguous());
  }
}

TEST(ShapeInPlace, CountsAsAChangeForGradients) {
  const Tensor x = ones({2, 3}, requires_grad());
  EXPECT_NE(error_of([&] { x.t_(); }).find("t_: the tensor is a leaf"), std::string::npos);
  Tensor y = x * 2;
  const Tensor z = y * y;
  y.t_();
  EXPECT_NE(error_of([&] { z.sum().backward(); }).find("changed in place"), std::string::npos);
  const Tensor w = (x * 2).t_();
  w.mul(arange(6, kFloat).view({3, 2})).sum().backward();
  EXPECT_EQ(elements(x.grad()), (Numbers{0, 4, 8, 2, 6, 10}));
}

TEST(Resize, KeepsTheElementsAsFarAsTheyGo) {
  for (const Device device : devices()) {
    Tensor x = arange(6, TensorOptions(device).dtype(kFloat)).clone();
    EXPECT_EQ(elements(x.resize_({2, 2})), (Numbers{0, 1, 2, 3}));
    EXPECT_EQ(elements(x.resize_({6})), (Numbers{0, 1, 2, 3, 4, 5}));
    const Tensor larger = x.resize_({4, 100});
    EXPECT_EQ(larger.sizes().vec(), (Sizes{4, 100}));
    EXPECT_EQ(elements(larger.flatten().slice(0, 0, 6)), (Numbers{0, 1, 2, 3, 4, 5}));
  }
  const int64_t huge = int64_t{1} << 40;
  EXPECT_NE(error_of([&] { zeros({2}).resize_({huge, huge}); }).find("is not a shape"),
            std::string::npos);
  EXPECT_NE(error_of([&] { zeros({2}).resize_({-1}); }).find("is not a shape"), std::string::npos);
}

TEST(Activations, StayFiniteFarOut) {
  for (const Device device : devices()) {
    const Tensor x = tensor({-1e4, -90.0, 0.0, 90.0, 1e4}).to(device).requires_grad_();
    for (const auto& [name, y] : {std::pair("softplus", softplus(x)),
                                  {"elu", elu(x)},
                                  {"log_sigmoid", log_sigmoid(x)},
                                  {"mish", mish(x)},
                                  {"selu", selu(x)}}) {
      const Tensor grad = autograd::grad({y.sum()}, {x})[0];
      EXPECT_TRUE(y.isfinite().all().item<bool>()) << name;
      EXPECT_TRUE(grad.isfinite().all().item<bool>()) << name << grad;
    }
    const Tensor slope = autograd::grad({log_sigmoid(x).sum()}, {x})[0];
    EXPECT_TRUE(near(elements(slope), {1, 1, 0.5, 0, 0}, 1e-6));
    EXPECT_EQ(elements(autograd::grad({relu6(x).sum()}, {x})[0]), (Numbers{0, 0, 0, 0, 0}));
  }
}

TEST(Median, OfNaNIsNaN) {
  for (const Device device : devices()) {
    const Tensor x = tensor({{3.0, NAN, 1.0}, {3.0, 2.0, 1.0}}).to(device);
    const auto [values, places] = x.median(1);
    EXPECT_TRUE(std::isnan(elements(values)[0]));
    EXPECT_EQ(elements(values)[1], 2);
    EXPECT_EQ(elements(places), (Numbers{1, 1}));
    EXPECT_TRUE(std::isnan(x.median().item<float>()));
  }
}

TEST(Pad, WrongUse) {
  const Tensor x = ones({1, 2, 3});
  const int64_t huge = std::numeric_limits<int64_t>::max();
  EXPECT_NE(error_of([&] { (void)pad(x, {huge, huge}); }).find("leave none"), std::string::npos);
  EXPECT_NE(error_of([&] { (void)pad(x, {-2, -2}); }).find("leave none"), std::string::npos);
  EXPECT_NE(error_of([&] { (void)pad(x, {1}); }).find("two numbers"), std::string::npos);
  EXPECT_NE(error_of([&] { (void)pad(x, {3, 0}, kReflect); }).find("reflect"), std::string::npos);
  EXPECT_NE(error_of([&] { (void)pad(x, {1, 1}, kReflect, 2); }).find("no value"),
            std::string::npos);
}

TEST(Interpolate, WrongUse) {
  namespace F = nn::functional;
  using O = F::InterpolateFuncOptions;
  const Tensor x = ones({1, 2, 3, 3});
  const auto text = [&](const Tensor& image, const O& o) {
    return error_of([&] { (void)F::interpolate(image, o); });
  };
  EXPECT_NE(text(x, O()).find("either size or scale_factor"), std::string::npos);
  EXPECT_NE(text(x[0][0], O().size(Sizes{2, 2})).find("[N, C, L]"), std::string::npos);
  EXPECT_NE(text(x, O().size(Sizes{0, 2})).find("to a size of [0, 2]"), std::string::npos);
  EXPECT_NE(text(x, O().scale_factor(Numbers{1e300, 1})).find("would have"), std::string::npos);
  EXPECT_NE(text(x, O().scale_factor(Numbers{NAN})).find("would have"), std::string::npos);
  EXPECT_NE(text(x, O().size(Sizes{2, 2}).align_corners(true)).find("align_corners"),
            std::string::npos);
  EXPECT_NE(text(x, O().size(Sizes{2, 2}).mode(kLinear)).find("kBilinear"), std::string::npos);
}

TEST(IndexMethods, WrongUse) {
  const Tensor x = zeros({3, 2});
  const auto at = [](std::vector<int64_t> places) { return tensor(places); };
  const Tensor row = ones({1, 2});
  EXPECT_THROW(x.index_add_(0, at({3}), row), IndexError);
  EXPECT_THROW(x.index_add_(0, at({-1}), row), IndexError);
  EXPECT_THROW(x.index_add_(0, at({0}), ones({2, 2})), ShapeError);
  EXPECT_THROW(x.index_add_(0, at({0}), row.to(kDouble)), DTypeMismatchError);
  EXPECT_THROW(x.index_fill_(2, at({0}), 1), IndexError);
  EXPECT_THROW(x.scatter_(0, at({3}).view({1, 1}), row), IndexError);
  EXPECT_THROW(x.scatter_(0, at({-1}).view({1, 1}), row), IndexError);
  EXPECT_THROW((void)x.take(at({6})), IndexError);
  EXPECT_EQ(elements(x), Numbers(6, 0));
  EXPECT_NE(error_of([&] { (void)x.repeat_interleave(int64_t{1} << 62, 0); }).find("times"),
            std::string::npos);
}

TEST(IndexMethods, OnTwoDevices) {
  TENSORLIB_REQUIRE_CUDA();
  const Device device = cuda_devices()[0];
  const Tensor x = zeros({3, 2}, device), at = tensor({0});
  EXPECT_THROW(x.index_add_(0, at.to(device), ones({1, 2})), DeviceMismatchError);
  EXPECT_THROW((void)x.take(at), DeviceMismatchError);
  EXPECT_THROW((void)prelu(x, ones({1})), DeviceMismatchError);
  EXPECT_THROW((void)group_norm(x, 1, ones({2})), DeviceMismatchError);
}

TEST(AddOut, TakesTheShapeAndRefusesGradients) {
  for (const Device device : devices()) {
    Tensor out = zeros({1}, device);
    const Tensor x = arange(3, TensorOptions(device).dtype(kFloat));
    EXPECT_EQ(elements(add_out(out, x, x, 2)), (Numbers{0, 3, 6}));
    EXPECT_NE(error_of([&] {
                add_out(out, ones({3}, x.options().requires_grad(true)), x);
              }).find("does not record"),
              std::string::npos);
  }
}

TEST(Draws, OfLikenessesAndProbabilities) {
  for (const Device device : devices()) {
    manual_seed(3);
    const Tensor x = empty({1000}, device);
    EXPECT_NEAR(x.bernoulli_(0.3).mean().item<double>(), 0.3, 0.05);
    EXPECT_EQ(x.bernoulli_(1).sum().item<double>(), 1000);
    EXPECT_EQ(x.bernoulli_(0).sum().item<double>(), 0);
    EXPECT_NEAR(normal(3, 0.5, {1000}, device).mean().item<double>(), 3, 0.1);
    EXPECT_NEAR(normal(x + 2, 0.5).mean().item<double>(), 2, 0.1);
    EXPECT_EQ(randint_like(x, 5).max().item<int>(), 4);
  }
  EXPECT_THROW(zeros({2}).bernoulli_(NAN), Error);
  EXPECT_THROW((void)normal(0, -1, {2}), Error);
}

TEST(Modules, PartsAreReplacedAndTakenAway) {
  struct Net : nn::Module {
    Net() { fc = register_module("fc", nn::Linear(2, 3)); }
    nn::Linear fc{nullptr};
  } net;
  net.fc = net.replace_module("fc", nn::Linear(nn::LinearOptions(2, 5).bias(false)));
  EXPECT_EQ(net.parameters().size(), 1u);
  net.unregister_module("fc");
  EXPECT_TRUE(net.parameters().empty());
  EXPECT_NE(error_of([&] { net.unregister_module("fc"); }).find("no part \"fc\""),
            std::string::npos);
  EXPECT_NE(error_of([&] { net.replace_module("fc", nn::Linear(1, 1)); }).find("no part"),
            std::string::npos);
}

TEST(InstanceNorm, TracksItsStatistics) {
  for (const Device device : devices()) {
    nn::InstanceNorm2d norm(nn::InstanceNorm2dOptions(2).track_running_stats(true).affine(true));
    norm->to(device);
    const Tensor x = arange(16, TensorOptions(device).dtype(kFloat)).view({1, 2, 2, 4});
    EXPECT_TRUE(near(elements(norm(x).mean({2, 3})), {0, 0}, 1e-6));
    EXPECT_TRUE(near(elements(norm->running_mean), {0.35, 1.15}, 1e-6));
    norm->eval();
    EXPECT_TRUE(near({elements(norm(x))[0]}, {-0.35 / std::sqrt(0.9 + 0.6 + 1e-5)}, 1e-5));
  }
}

}  // namespace
}  // namespace tensorlib::testing
