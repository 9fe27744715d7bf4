// Devices that a function is given, or that somebody chooses when the program runs.

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer {
namespace {

using testing::check;

TEST(DevicesTest, a_device_that_is_given_is_cuda_in_some_run) {
  check(R"(
    using namespace torch;
    void run(Device device) {
      nn::Linear model(8, 8);
      model->to(device);
      auto x = torch::ones({8, 8});
      model->forward(x);  // expect: missing-transfer
      model->forward(x.to(device));
    }
    void only_if_elsewhere(Device device, Tensor y) {
      auto x = torch::ones({8, 8});
      if (device != Device(kCPU)) x = x.to(device);
      y.to(device) + x;
    }
    void options(TensorOptions options) {
      auto x = torch::ones({8, 8}, options);
      x + torch::ones({8, 8});
    })");
}

TEST(DevicesTest, a_device_that_a_text_names) {
  check(R"(
    using namespace torch;
    void run(const char* name) {
      Device device{std::string(name)};
      nn::Linear model(8, 8);
      model->to(device);
      auto x = torch::ones({8, 8});
      model->forward(x);  // expect: missing-transfer
      model->forward(x.to(device));
    }
    void written() {
      Device device{std::string("cpu")};
      nn::Linear model(8, 8);
      model->to(device);
      model->forward(torch::ones({8, 8}));
    })");
}

TEST(DevicesTest, what_must_be_on_a_device_that_the_caller_gives) {
  check(R"(
    using namespace torch;
    void on(Device device, Tensor x) {
      nn::Linear model(8, 8);
      model->to(device);
      model->forward(x);
    }
    void run() {
      auto x = torch::ones({8, 8});
      on(kCUDA, x);  // expect: missing-transfer
      on(kCPU, x);
      on(kCUDA, x.to(kCUDA));
    })");
}

TEST(DevicesTest, a_callee_with_two_needs_of_one_parameter) {
  check(R"(
    using namespace torch;
    void train(nn::Linear& model, Device device, Tensor target) {
      auto x = torch::ones({8, 8});
      auto output = model->forward(x);  // expect: missing-transfer
      matmul(output, target.to(device));
    }
    void run() {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      train(model, kCUDA, torch::ones({8, 8}));
    })");
}

TEST(DevicesTest, what_a_callee_computes_to_a_scalar) {
  check(R"(
    using namespace torch;
    Tensor centre(Tensor x, Tensor y) { return y + x.sum(); }
    void run() {
      centre(torch::ones({8, 8}), torch::ones({8, 8}, kCUDA));
    })");
}

TEST(DevicesTest, parts_of_a_tuple) {
  check(R"(
    using namespace torch;
    void run() {
      nn::LSTM lstm(8, 8);
      lstm->to(kCUDA);
      auto x = torch::ones({8, 8}, kCUDA);
      auto h = torch::zeros({1, 8}, kCUDA);
      auto c = torch::zeros({1, 8});
      lstm->forward(x, std::make_tuple(h, c));  // expect: missing-transfer
      lstm->forward(x, std::make_tuple(h, c.to(kCUDA)));
    })");
}

TEST(DevicesTest, a_container_of_ones_own) {
  check(R"(
    using namespace torch;
    struct NetImpl : nn::SequentialImpl {
      NetImpl() { push_back(nn::Linear(8, 8)); push_back(nn::ReLU()); }
    };
    TORCH_MODULE(Net);
    struct PlainImpl : nn::SequentialImpl {
      PlainImpl() { push_back(nn::ReLU()); }
    };
    TORCH_MODULE(Plain);
    void step(Net& net, Plain& plain, Tensor x) {
      plain->forward(x);
      net->forward(x);
    }
    void run() {
      Net net;
      net->to(kCUDA);
      Plain plain;
      plain->to(kCUDA);
      auto x = torch::ones({8, 8});
      plain->forward(x);
      net->forward(x);  // expect: missing-transfer
      step(net, plain, x);  // expect: missing-transfer
      step(net, plain, x.to(kCUDA));
    })");
}

}  // namespace
}  // namespace xfer::analyzer
