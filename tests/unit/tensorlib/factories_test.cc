#include <cmath>
#include <limits>
#include <sstream>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

using Numbers = std::vector<double>;

TEST(Factories, WhatCannotBeIsAnError) {
  EXPECT_NE(error_of([] { (void)arange(1e30); }).find("more than a tensor can hold"),
            std::string::npos);
  EXPECT_NE(error_of([] { (void)from_blob(nullptr, {2}); }).find("the address is null"),
            std::string::npos);
  EXPECT_EQ(from_blob(nullptr, {2, 0}).numel(), 0);
  float number = 0;
  EXPECT_THROW((void)from_blob(&number, {int64_t{1} << 62, 4}, {int64_t{1} << 62, 1}), ShapeError);
}

TEST(Factories, LinspaceHasBothEnds) {
  for (const Device& device : devices()) {
    for (const ScalarType type : kFloatingTypes) {
      const Tensor x = linspace(-1, 2, 7, TensorOptions(device).dtype(type));
      EXPECT_EQ(x.device(), device);
      EXPECT_TRUE(near(elements(x), {-1, -0.5, 0, 0.5, 1, 1.5, 2}, 0));
    }
    EXPECT_TRUE(
        near(elements(linspace(0, 9, 4, TensorOptions(device).dtype(kInt))), {0, 3, 6, 9}, 0));
    EXPECT_TRUE(near(elements(linspace(5, 9, 1, device)), {5}, 0));
    EXPECT_EQ(linspace(5, 9, 0, device).numel(), 0);
  }
  EXPECT_EQ(linspace(0, 1).size(0), 100);
  EXPECT_EQ(linspace(0, 0.1, 30)[29].item<float>(), 0.1F);
  EXPECT_TRUE(linspace(0, 1, 3, requires_grad()).is_leaf());
  EXPECT_THROW((void)linspace(0, 1, -1), Error);
}

TEST(Factories, MakeWhatTheySay) {
  for (const Device& device : devices()) {
    EXPECT_EQ(elements(zeros({2, 2}, device)), (Numbers{0, 0, 0, 0}));
    EXPECT_EQ(elements(ones({3}, TensorOptions(device).dtype(kHalf))), (Numbers{1, 1, 1}));
    EXPECT_EQ(elements(full({2}, 7, device)), (Numbers{7, 7}));
    EXPECT_EQ(elements(arange(1, 2, 0.25, device)), (Numbers{1, 1.25, 1.5, 1.75}));
    EXPECT_EQ(elements(arange(5, 0, -2, device)), (Numbers{5, 3, 1}));
    EXPECT_EQ(elements(eye(2, device)), (Numbers{1, 0, 0, 1}));
    EXPECT_EQ(elements(tensor({{1, 2}, {3, 4}}, device)), (Numbers{1, 2, 3, 4}));
    EXPECT_EQ(ones_like(ones({2}, TensorOptions(device).dtype(kInt))).device(), device);
    EXPECT_EQ(zeros({2}, device).device(), device);
  }
}

TEST(Factories, TypesFollowTheValues) {
  EXPECT_EQ(tensor({1, 2}).dtype(), kLong);
  EXPECT_EQ(tensor({1.5, 2.0}).dtype(), kFloat);
  EXPECT_EQ(tensor({true, false}).dtype(), kBool);
  EXPECT_EQ(tensor(std::vector<float>{1, 2}, kDouble).dtype(), kDouble);
  EXPECT_EQ(full({1}, 3).dtype(), kLong);
  EXPECT_EQ(full({1}, 3.0).dtype(), kFloat);
  EXPECT_EQ(arange(3).dtype(), kLong);
  EXPECT_EQ(arange(3.0).dtype(), kFloat);
  EXPECT_EQ(zeros({1}).dtype(), kFloat);
  EXPECT_EQ(tensor(2.5).dim(), 0);
}

TEST(Factories, BadArgumentsAreErrors) {
  EXPECT_THROW((void)tensor({{1, 2}, {3}}), ShapeError);
  EXPECT_THROW((void)tensor({detail::TensorData(1), detail::TensorData(1.5)}), DTypeMismatchError);
  EXPECT_THROW((void)zeros({-1}), ShapeError);
  EXPECT_THROW((void)empty({int64_t{1} << 40, int64_t{1} << 40}), ShapeError);
  EXPECT_THROW((void)empty({int64_t{1} << 45}), DeviceError);
  EXPECT_THROW((void)arange(0, 3, -1), Error);
  EXPECT_THROW((void)arange(0, 3, 0), Error);
  EXPECT_THROW((void)randint(3, 3, {1}), Error);
  EXPECT_THROW((void)from_blob(nullptr, {2}, {1, 1}), ShapeError);
}

TEST(Factories, OutOfDeviceMemoryNamesTheDevice) {
  TENSORLIB_REQUIRE_TWO_GPUS();
  const std::string text =
      error_of([] { (void)empty({int64_t{1} << 42}, TensorOptions(Device("cuda:1"))); });
  EXPECT_NE(text.find("empty: out of memory on cuda:1: "), std::string::npos) << text;
  EXPECT_EQ(ones({2}, Device("cuda:1")).sum().item<float>(), 2);  // and the device still works
}

TEST(FromBlob, SharesTheMemoryAndRunsTheDeleterOnce) {
  float values[] = {1, 2, 3, 4, 5, 6};
  int deleted = 0;
  {
    const Tensor x = from_blob(values, {2, 3}, [&](void* data) {
      EXPECT_EQ(data, values);
      ++deleted;
    });
    const Tensor view = x[1];
    x.fill_(9);
    EXPECT_EQ(deleted, 0);
  }
  EXPECT_EQ(deleted, 1);
  EXPECT_EQ(values[5], 9);
  const Tensor columns = from_blob(values, {3, 2}, {1, 3});
  EXPECT_TRUE(columns.t().is_contiguous());
  EXPECT_EQ(columns.data_ptr<float>(), values);
  EXPECT_THROW((void)columns.data_ptr<double>(), DTypeMismatchError);
}

TEST(Random, SeedsRepeatAndAgreeAcrossDevices) {
  EXPECT_EQ(randint(4, {2}).dtype(), kLong);  // as in LibTorch, and of a device alone
  EXPECT_EQ(randint(4, {2}, kCPU).dtype(), kFloat);
  manual_seed(42);
  const auto uniform = elements(rand({1001}));
  const auto normal = elements(randn({1001}));
  const auto integers = elements(randint(-3, 4, {1001}));
  for (const Device& device : devices()) {
    manual_seed(42);
    EXPECT_EQ(elements(rand({1001}, device)), uniform) << device;
    EXPECT_TRUE(near(elements(randn({1001}, device)), normal, 1e-6)) << device;
    EXPECT_EQ(elements(randint(-3, 4, {1001}, device)), integers) << device;
  }
  EXPECT_NE(elements(rand({1001})), uniform);
}

TEST(Random, DistributionsHaveTheirMoments) {
  manual_seed(1);
  const Tensor uniform = rand({100000}, kDouble);
  EXPECT_NEAR(uniform.mean().item<double>(), 0.5, 0.005);
  EXPECT_GE(uniform.min().item<double>(), 0);
  EXPECT_LT(uniform.max().item<double>(), 1);
  EXPECT_NEAR((uniform - 0.5).square().mean().item<double>(), 1. / 12, 0.002);
  const Tensor normal = empty({100000}, kDouble).normal_(3, 2);
  EXPECT_NEAR(normal.mean().item<double>(), 3, 0.03);
  EXPECT_NEAR((normal - 3).square().mean().item<double>(), 4, 0.08);
  const Tensor integers = randint(2, 5, {30000}, kLong);
  for (int64_t value = 2; value < 5; ++value) {
    EXPECT_NEAR((integers == value).sum().item<double>(), 10000, 400);
  }
}

TEST(Print, NumbersFooterAndUndefined) {
  std::ostringstream out;
  out << tensor({{1., 2.}, {3., -4.}}) << "\n"
      << arange(2) << "\n"
      << tensor({0.5}) << "\n"
      << Tensor();
  EXPECT_EQ(out.str(),
            " 1  2\n 3 -4\n[ CPUFloatType{2,2} ]\n 0\n 1\n[ CPULongType{2} ]\n"
            " 0.5000\n[ CPUFloatType{1} ]\n[ Tensor (undefined) ]");
}

TEST(Print, DeviceOfATensor) {
  const std::string expected = "cpu cuda:0 cuda:1";
  std::ostringstream out;
  for (const Device& device : devices())
    out << (device.is_cuda() ? " " : "") << ones({1}, device).device();
  EXPECT_EQ(out.str(), expected.substr(0, 3 + 7 * cuda_devices().size()));
}

}  // namespace
}  // namespace tensorlib::testing
