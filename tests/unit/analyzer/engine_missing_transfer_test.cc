#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer::testing {
namespace {

TEST(MissingTransferTest, operands_on_two_known_devices) {
  check(R"(
void f() {
  torch::Tensor a = torch::ones({2, 3});
  torch::Tensor b = torch::ones({2, 3}, torch::Device(torch::kCUDA, 0));
  torch::Tensor c = a + b;  // expect: missing-transfer
  torch::Tensor d = a.matmul(b);  // expect: missing-transfer
  a += b;  // expect: missing-transfer
})");
}

TEST(MissingTransferTest, names_operands_devices_and_places) {
  const AnalysisResult result = analyze_code(R"(
void f() {
  torch::Tensor a = torch::ones({2, 3});
  torch::Tensor b = torch::ones({2, 3}).cuda();
  torch::Tensor c = a + b;
})");
  ASSERT_EQ(result.findings.size(), 1U);
  const Finding& finding = result.findings.front();
  EXPECT_EQ(finding.message, "`a` is on the CPU, but `b` is on CUDA");
  ASSERT_EQ(finding.notes.size(), 2U);
  EXPECT_EQ(finding.notes[0].location.line, 3U);
  EXPECT_EQ(finding.notes[1].location.line, 4U);
}

TEST(MissingTransferTest, a_device_chosen_at_run_time_may_be_cuda) {
  check(R"(
void f() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Linear layer(4, 4);
  layer->to(device);
  torch::Tensor x = torch::randn({2, 4});
  torch::Tensor y = layer->forward(x);  // expect: missing-transfer
  torch::Tensor z = layer(x.to(device));
}
void g() {
  torch::Device device = torch::kCPU;
  if (torch::cuda::is_available()) device = torch::kCUDA;
  torch::Tensor a = torch::ones({4}, device);
  torch::Tensor b = torch::ones({4});
  auto c = a + b;  // expect: missing-transfer
})");
}

TEST(MissingTransferTest, an_opaque_device_is_only_equal_to_itself) {
  check(R"(
torch::Tensor f(torch::Device device, torch::Device other) {
  torch::nn::Linear layer(4, 4);
  layer->to(device);
  torch::Tensor x = torch::randn({2, 4});
  torch::Tensor y = layer->forward(x);  // expect: missing-transfer
  torch::Tensor z = torch::ones({2, 4}, other);
  return layer->forward(x.to(device)) + z;
})");
}

TEST(MissingTransferTest, code_for_one_kind_of_device_is_silent) {
  check(R"(
void f() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::Tensor w = torch::ones({4}, device);
  torch::Tensor x = torch::ones({4});
  if (device.is_cpu()) { auto y = x + w; }
  if (!torch::cuda::is_available()) { auto y = x + w; return; }
  if (device == torch::Device(torch::kCUDA)) x = x.to(device);
  auto z = x + w;
})");
}

TEST(MissingTransferTest, tensors_without_dimensions_mix) {
  check(R"(
void f() {
  torch::Tensor b = torch::ones({2, 3}).cuda();
  torch::Tensor s = torch::tensor(2.0);
  auto c = b * s;
  auto d = b * torch::ones({2, 2}).sum();
  auto e = b * torch::ones({});
  auto g = b * torch::tensor({1.0, 2.0});  // expect: missing-transfer
})");
}

TEST(MissingTransferTest, branches_that_move_make_it_unknown) {
  check(R"(
void f(bool b) {
  torch::Tensor x = torch::ones({2, 3});
  if (b) x = x.cuda();
  torch::Tensor y = torch::ones({2, 3}).cuda();
  auto z = x + y;
  for (int i = 0; i < 3; ++i) { auto w = x + y; x = y; }
})");
}

TEST(MissingTransferTest, a_copy_shares_its_tensor_and_a_move_of_one_moves_no_other) {
  check(R"(
void f() {
  torch::Tensor x = torch::ones({2, 3});
  torch::Tensor alias = x;
  x = x.cuda();
  auto z = x + alias;  // expect: missing-transfer
  auto w = x + x.view({6});
})");
}

TEST(MissingTransferTest, user_modules_by_their_forward) {
  check(R"(
struct NetImpl : torch::nn::Module {
  NetImpl() : fc1(4, 8) {
    register_module("fc1", fc1);
    fc2 = register_module("fc2", torch::nn::Linear(8, 2));
  }
  torch::Tensor forward(torch::Tensor x) { x = torch::relu(fc1->forward(x)); return fc2(x); }
  torch::nn::Linear fc1, fc2{nullptr};
};
TORCH_MODULE(Net);
void f() {
  Net net;
  net->to(torch::kCUDA);
  auto x = torch::randn({1, 4});
  net->forward(x);  // expect: missing-transfer
  net(x);  // expect: missing-transfer
  net->forward(x.cuda());
  auto shared = std::make_shared<NetImpl>();
  shared->forward(x);
  shared->to(torch::kCUDA);
  shared->forward(x);  // expect: missing-transfer
  NetImpl value;
  value.forward(x);
  value.to(torch::kCUDA);
  value.forward(x);  // expect: missing-transfer
})");
}

TEST(MissingTransferTest, modules_that_move_their_input_are_silent) {
  check(R"(
struct NetImpl : torch::nn::Module {
  NetImpl() : fc1(4, 8) { register_module("fc1", fc1); to(torch::kCUDA); }
  torch::Tensor forward(torch::Tensor x) { return fc1->forward(x.to(torch::kCUDA)); }
  torch::nn::Linear fc1;
};
struct OwnMove : torch::nn::Module {
  void to(int) {}
  torch::Tensor forward(torch::Tensor x) { return x; }
};
void f() {
  auto net = std::make_shared<NetImpl>();
  net->forward(torch::randn({1, 4}));
  torch::nn::ReLU relu;
  relu->to(torch::kCUDA);
  relu->forward(torch::randn({1, 4}));
  OwnMove own;
  own.forward(torch::randn({1, 4}));
})");
}

TEST(MissingTransferTest, constructors_and_helpers_are_summarised) {
  check(R"(
torch::Tensor move_to_gpu(torch::Tensor t) { return t.to(torch::kCUDA); }
void move_in_place(torch::Tensor& t) { t = t.cuda(); }
void move_model(torch::nn::Linear model) { model->to(torch::kCUDA); }
torch::Tensor product(const torch::Tensor& a, const torch::Tensor& b) { return a.matmul(b); }
torch::Tensor maybe(const torch::Tensor& a, const torch::Tensor& b, bool use) {
  if (use) return a.matmul(b);
  return a;
}
void f() {
  torch::Tensor x = torch::ones({4, 4});
  auto y = move_to_gpu(x);
  auto a = y + y;
  auto b = x + y;  // expect: missing-transfer
  auto c = product(x, y);  // expect: missing-transfer
  auto d = maybe(x, y, false);
  move_in_place(x);
  auto e = x + y;
  torch::nn::Linear net(4, 4);
  move_model(net);
  net->forward(x);
  net->forward(torch::ones({4, 4}));  // expect: missing-transfer
})");
}

TEST(MissingTransferTest, unknown_code_is_silent) {
  check(R"(
void fill(torch::Tensor& t);
void keep(torch::nn::Linear module);
torch::Tensor make();
void f() {
  torch::Tensor x = torch::ones({4, 4});
  torch::Tensor y = torch::ones({4, 4}).cuda();
  fill(x);
  auto a = x + y;
  torch::nn::Linear net(4, 4);
  keep(net);
  net->forward(y);
  auto b = make() + y;
  torch::Tensor z = torch::ones({4, 4});
  auto lambda = [&] { z = z.cuda(); };
  lambda();
  auto c = z + y;
  torch::Tensor* p = &x;
  *p = x.cuda();
})");
}

TEST(MissingTransferTest, an_error_that_is_caught_is_still_one_and_the_move_after_it_helps) {
  check(R"(
void f() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Linear layer(100, 50);
  layer->to(device);
  torch::Tensor input = torch::ones({8, 100});
  try {
    torch::Tensor output = layer->forward(input);  // expect: missing-transfer
  } catch (const std::exception& error) {
    error.what();
  }
  input = input.to(device);
  torch::Tensor output = layer->forward(input);
})");
}

TEST(MissingTransferTest, a_bare_cuda_is_the_current_device) {
  check(R"(
void f() {
  torch::Tensor a = torch::ones({4}, torch::Device(torch::kCUDA, 1));
  torch::Tensor b = torch::ones({4}).cuda();
  auto c = a + b;  // expect: missing-transfer
  auto d = a + torch::ones({4}).to(a.device());
  auto e = torch::ones({4}, torch::Device(torch::kCUDA, 0)) + b;
  auto g = torch::ones({4}, torch::Device("cuda:1")) + a;
})");
}

TEST(MissingTransferTest, lists_and_losses) {
  check(R"(
void f() {
  torch::Tensor a = torch::ones({4});
  torch::Tensor b = torch::ones({4}).cuda();
  auto c = torch::cat({a, b});  // expect: missing-transfer
  auto d = torch::cat({b, b});
  std::vector<torch::Tensor> parts;
  parts.push_back(b);
  parts.push_back(a.cuda());
  auto e = torch::cat(parts) + b;
  auto g = torch::cat(parts) + a;  // expect: missing-transfer
  torch::nn::MSELoss loss;
  loss(b, a);  // expect: missing-transfer
  loss->forward(b, b);
})");
}

TEST(MissingTransferTest, template_instances_are_reported_once) {
  check(R"(
template <class T> void f(T x) {
  torch::Tensor b = torch::ones({4}).cuda();
  auto c = torch::ones({4}) + b;  // expect: missing-transfer
}
void g() { f(1); f(2.0); })");
}

}  // namespace
}  // namespace xfer::analyzer::testing
