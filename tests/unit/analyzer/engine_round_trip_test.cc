#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer::testing {
namespace {

TEST(RoundTripTest, there_and_back_with_no_use_between) {
  check(R"(
void f() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Linear model(64, 10);
  for (int step = 0; step < 5; ++step) {
    torch::Tensor batch = torch::randn({32, 64});
    batch = batch.to(device);
    batch = batch.to(torch::kCPU);  // expect: round-trip
    auto scores = model->forward(batch);
  }
  torch::Tensor x = torch::randn({4}, torch::kCUDA);
  auto y = x.cpu().cuda();  // expect: round-trip
})");
}

TEST(RoundTripTest, the_copy_is_used) {
  check(R"(
void print(const torch::Tensor&);
void f() {
  torch::Tensor x = torch::randn({4});
  auto y = x.cuda();
  auto z = y + y;
  auto back = z.cpu();
  torch::Tensor a = torch::randn({4});
  auto w = a.cuda();
  print(w);
  auto also = w.cpu();
})");
}

TEST(RoundTripTest, the_copy_or_the_value_changes) {
  check(R"(
void f() {
  torch::Tensor x = torch::randn({4});
  auto y = x.cuda();
  y.zero_();
  auto z = y.cpu();
  auto a = x.cuda();
  x.zero_();
  auto b = a.cpu();
  auto h = x.to(torch::Device(torch::kCUDA), torch::kHalf).cpu();
})");
}

TEST(RoundTripTest, parked_on_the_cpu) {
  check(R"(
void work();
void f() {
  torch::Tensor x = torch::randn({4}, torch::kCUDA);
  x = x.cpu();
  work();
  x = x.cuda();
})");
}

TEST(RoundTripTest, at_once_though_others_hold_the_value) {
  check(R"(
void print(const torch::Tensor&);
void f(std::vector<torch::Tensor>& list, torch::Device device) {
  torch::Tensor x = torch::randn({4}).to(device);
  list.push_back(x);
  auto y = x.to(torch::kCPU).to(device);  // expect: round-trip
  auto host = x.to(torch::kCPU);
  print(y);
  auto back = host.to(device);
})");
}

TEST(RoundTripTest, an_element_type_that_it_has_already) {
  check(R"(
void f(torch::Tensor x, torch::Device device) {
  auto options = torch::ones({1}, torch::kHalf).to(device).options();
  auto y = x.to(options).to(torch::kCPU).to(options);  // expect: round-trip
  auto z = x.to(torch::kFloat).to(device).to(torch::kCPU).to(options);
})");
}

TEST(RoundTripTest, at_once_where_nobody_knows_the_device) {
  check(R"(
torch::Tensor at_once(torch::Tensor x) {
  return x.to(torch::kCPU).to(x.device());  // expect: round-trip
}
torch::Tensor changed(torch::Tensor x) {
  auto host = x.to(torch::kCPU);
  host.add_(torch::ones({4}));
  return host.to(x.device());
}
torch::Tensor later(torch::Tensor x) {
  auto host = x.to(torch::kCPU);
  auto other = torch::ones({4});
  return host.to(x.device()) + other.to(x.device());
}
torch::Tensor elsewhere(torch::Tensor x, torch::Tensor y) {
  return x.to(torch::kCPU).to(y.device());
}
torch::Tensor of_the_host(torch::Tensor x) {
  torch::Device host = torch::kCPU;
  return x.to(host).to(torch::kCPU);
})");
}

TEST(RoundTripTest, where_it_came_from_is_unknown) {
  check(R"(
torch::Tensor f(torch::Tensor x, torch::Device device) {
  x = x.to(device);
  x = x.to(torch::kCPU);
  return x;
})");
}

}  // namespace
}  // namespace xfer::analyzer::testing
