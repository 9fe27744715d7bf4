// Rules that advise, and rules about memory, gradients and members: each wrong once and right once.

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer {
namespace {

using testing::check;

TEST(LeafMovedTest, a_copy_is_asked_for_the_gradient) {
  check(R"(
    using namespace torch;
    Tensor wrong(Tensor x) {
      auto w = torch::randn({8, 8}, TensorOptions().requires_grad(true)).to(kCUDA);  // expect: leaf-moved
      matmul(x, w);
      return w.grad();
    }
    Tensor made_there(Tensor x) {
      auto w = torch::randn({8, 8}, TensorOptions(kCUDA).requires_grad(true));
      matmul(x, w);
      return w.grad();
    }
    Tensor original(Tensor x) {
      auto w = torch::randn({8, 8}).requires_grad_();
      matmul(x, w.to(kCUDA));
      return w.grad();
    })",
        {Rule::kLeafMoved});
}

TEST(UnregisteredTest, a_member_stays_behind) {
  check(R"(
    using namespace torch;
    struct WrongImpl : nn::Module {
      WrongImpl() : fc(8, 8) {
        register_module("fc", fc);
        mask = torch::ones({8});  // expect: unregistered-tensor
      }
      Tensor forward(Tensor x) { return fc->forward(x * mask); }
      nn::Linear fc;
      Tensor mask;
    };
    TORCH_MODULE(Wrong);
    struct RightImpl : nn::Module {
      RightImpl() : fc(8, 8) {
        register_module("fc", fc);
        mask = register_buffer("mask", torch::ones({8}));
      }
      Tensor forward(Tensor x) { return fc->forward(x * mask); }
      nn::Linear fc;
      Tensor mask;
    };
    TORCH_MODULE(Right);
    struct StayedImpl : nn::Module {
      StayedImpl() : fc(8, 8) { mask = torch::ones({8}); }
      Tensor forward(Tensor x) { return fc->forward(x * mask); }
      nn::Linear fc;
      Tensor mask;
    };
    TORCH_MODULE(Stayed);
    void run(Tensor x, Device device) {
      Wrong wrong;
      wrong->to(device);
      Right right;
      right->to(device);
      Stayed stayed;
    })",
        {Rule::kUnregisteredTensor});
}

TEST(PinPerCallTest, pinned_for_one_copy) {
  check(R"(
    using namespace torch;
    Tensor wrong(Tensor x, Device device) { return x.pin_memory().to(device, true); }  // expect: pin-per-call
    Tensor right(Tensor x, Device device) {
      auto staging = x.pin_memory();
      return staging.to(device, true) + staging.to(device, true);
    })",
        {Rule::kPinPerCall});
}

TEST(FakePinningTest, from_blob_does_not_pin) {
  check(R"(
    using namespace torch;
    void run(std::vector<float>& values) {
      float local[8];
      auto x = torch::from_blob(local, {8}, TensorOptions().pinned_memory(true));  // expect: fake-pinning
      auto y = torch::from_blob(local, {8});
      auto z = torch::zeros({8}, TensorOptions().pinned_memory(true));
    })",
        {Rule::kFakePinning});
}

TEST(SyncInLoopTest, the_host_waits_in_every_iteration) {
  check(R"(
    using namespace torch;
    float run(int steps) {
      auto x = torch::ones({8}, kCUDA);
      auto host = torch::ones({8});
      float total = x.sum().item<float>();
      for (int i = 0; i < steps; ++i) {
        total += x.sum().item<float>();  // expect: sync-in-loop
        total += host.sum().item<float>();
        if (i % 10 == 0) total += x.sum().item<float>();
      }
      return total;
    })",
        {Rule::kSyncInLoop});
}

TEST(PageableAsyncTest, non_blocking_and_pageable) {
  check(R"(
    using namespace torch;
    void run(Tensor given) {
      auto x = torch::ones({8});
      auto a = x.to(kCUDA, true);  // expect: pageable-async
      auto b = x.to(kCUDA);
      auto c = x.pin_memory().to(kCUDA, true);
      auto d = given.to(kCUDA, true);
    })",
        {Rule::kPageableAsync});
}

TEST(CreateOnHostTest, made_for_a_device) {
  check(R"(
    using namespace torch;
    void run(Device device) {
      auto x = torch::zeros({8}).to(device);  // expect: create-on-host
      auto y = torch::zeros({8}, device);
      auto z = torch::zeros({8});
      auto sum = z + z;
      auto moved = sum.to(device);
    })",
        {Rule::kCreateOnHost});
}

TEST(HardCodedDeviceTest, a_constant_beside_a_device) {
  check(R"(
    using namespace torch;
    class Agent {
     public:
      explicit Agent(Device device) : device_(device) {}
      Tensor wrong(Tensor x) { return x.to(kCUDA); }  // expect: hard-coded-device
      Tensor right(Tensor x) { return x.to(device_).to(kCPU); }
     private:
      Device device_;
    };
    Tensor given(Tensor x, Device device) {
      auto y = x.cuda();  // expect: hard-coded-device
      return y.to(device);
    }
    Tensor without(Tensor x) { return x.cuda(); })",
        {Rule::kHardCodedDevice});
}

TEST(HostAccessTest, pointers_in_fields_and_from_callees) {
  check(R"(
    using namespace torch;
    Tensor upload(Tensor x) { return x.to(kCUDA); }
    class Buffer {
     public:
      Buffer() : data_(torch::ones({8}, kCUDA)) {}
      float first() { return data_.data_ptr<float>()[0]; }  // expect: host-access
     private:
      Tensor data_;
    };
    float run(Tensor x) {
      auto y = upload(x);
      float value = *y.data_ptr<float>();  // expect: host-access
      return value + *y.cpu().data_ptr<float>();
    })",
        {Rule::kHostAccess});
}

}  // namespace
}  // namespace xfer::analyzer
