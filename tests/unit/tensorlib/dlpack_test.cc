// Tensors shared by DLPack: with ourselves, and with a library that does as it likes.
#include <tensorlib/io/dlpack.h>

#include "tensorlib/src/io/dlpack_abi.h"
#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

TEST(DLPack, GivesAndTakesWithoutACopy) {
  for (const Device& device : devices()) {
    for (ScalarType type : kAllTypes) {
      Tensor given = arange(12, kFloat).view({3, 4}).to(device, type).t().slice(0, 1, 3);
      DLManagedTensorVersioned* const managed = io::to_dlpack(given);
      EXPECT_EQ(managed->version.major, 1u);
      EXPECT_EQ(managed->dl_tensor.ndim, 2);
      EXPECT_EQ(managed->dl_tensor.device.device_type, device.is_cuda() ? kDLCUDA : kDLCPU);
      const auto expected = elements(given);
      const void* const memory = given.data_ptr();
      given = Tensor();  // the receiver keeps the memory
      const Tensor taken = io::from_dlpack(managed);
      EXPECT_EQ(taken.data_ptr(), memory);
      EXPECT_EQ(taken.device(), device);
      EXPECT_EQ(taken.dtype(), type);
      EXPECT_EQ(elements(taken), expected);
    }
  }
}

TEST(DLPack, APinnedTensorSaysSo) {
  TENSORLIB_REQUIRE_CUDA();
  DLManagedTensorVersioned* const managed = io::to_dlpack(ones({2}).pin_memory());
  EXPECT_EQ(managed->dl_tensor.device.device_type, kDLCUDAHost);
  managed->deleter(managed);
}

// Another library's tensor of two rows; it counts how often it was given back.
struct Foreign {
  Foreign() {
    managed.version = {1, 1};
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensorVersioned* self) {
      ++static_cast<Foreign*>(self->manager_ctx)->given_back;
    };
    managed.flags = 0;
    managed.dl_tensor = {data, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, nullptr, 4};
  }
  float data[5] = {0, 1, 2, 3, 4};
  int64_t shape[2] = {2, 2};
  int64_t strides[2] = {1, 2};
  DLManagedTensorVersioned managed;
  int given_back = 0;
};

TEST(DLPack, MemoryIsGivenBackOnceWithTheLastTensor) {
  Foreign foreign;
  Tensor tensor = io::from_dlpack(&foreign.managed);
  EXPECT_EQ(elements(tensor), (std::vector<double>{1, 2, 3, 4}));
  const Tensor row = tensor[1];
  tensor.fill_(7);
  EXPECT_EQ(foreign.data[4], 7);
  tensor = Tensor();
  EXPECT_EQ(foreign.given_back, 0);
  EXPECT_EQ(elements(row), (std::vector<double>{7, 7}));
  const_cast<Tensor&>(row) = Tensor();
  EXPECT_EQ(foreign.given_back, 1);
}

TEST(DLPack, ReadOnlyMemoryIsCopiedAndStridesAreRead) {
  Foreign foreign;
  foreign.managed.flags = kDLReadOnly;
  foreign.managed.dl_tensor.strides = foreign.strides;
  const Tensor tensor = io::from_dlpack(&foreign.managed);
  EXPECT_EQ(foreign.given_back, 1);
  EXPECT_EQ(elements(tensor), (std::vector<double>{1, 3, 2, 4}));
  tensor.fill_(0);
  EXPECT_EQ(foreign.data[1], 1);
}

TEST(DLPack, WhatIsRefusedIsGivenBack) {
  const auto error = [](const std::function<void(Foreign&)>& change) {
    Foreign foreign;
    change(foreign);
    const std::string text = error_of([&] { (void)io::from_dlpack(&foreign.managed); });
    EXPECT_EQ(foreign.given_back, 1) << text;
    return text;
  };
  const auto expect = [&](const char* text, const std::function<void(Foreign&)>& change) {
    EXPECT_NE(error(change).find(text), std::string::npos) << error(change);
  };
  expect("of DLPack 2, and 1 is known", [](Foreign& f) { f.managed.version.major = 2; });
  expect("type 4, and tensorlib has",
         [](Foreign& f) { f.managed.dl_tensor.device.device_type = 4; });
  expect("type 5 with 64 bits", [](Foreign& f) { f.managed.dl_tensor.dtype = {5, 64, 1}; });
  expect("4 lanes", [](Foreign& f) { f.managed.dl_tensor.dtype.lanes = 4; });
  expect("9 dimensions", [](Foreign& f) { f.managed.dl_tensor.ndim = 9; });
  expect("go backwards", [](Foreign& f) {
    f.strides[0] = -1;
    f.managed.dl_tensor.strides = f.strides;
  });
  EXPECT_NE(error_of([] { (void)io::to_dlpack(ones({1}, requires_grad())); }).find("detach()"),
            std::string::npos);
  EXPECT_THROW((void)io::from_dlpack(nullptr), Error);
}

}  // namespace
}  // namespace tensorlib::testing
