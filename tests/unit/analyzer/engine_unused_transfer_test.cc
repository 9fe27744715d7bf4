#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer::testing {
namespace {

TEST(UnusedTransferTest, paths) {
  check(R"(
torch::Tensor some(torch::Tensor x, bool c, torch::Device device) {
  torch::Tensor y = x.to(device);
  if (c) return y + y;
  return x;
}
torch::Tensor none(torch::Tensor x, bool c, torch::Device device) {
  torch::Tensor y = x.to(device);  // expect: unused-transfer
  if (c) return x + x;
  return x;
}
torch::Tensor given_again_on_every_path(torch::Tensor x, bool c, torch::Device device) {
  torch::Tensor y = x.to(device);  // expect: unused-transfer
  if (c) y = x + x; else y = x * x;
  return y;
}
)",
        {Rule::kUnusedTransfer});
}

TEST(UnusedTransferTest, loops) {
  check(R"(
void last_iteration(torch::Tensor x, int n, torch::Device device) {
  torch::Tensor y = x;
  for (int i = 0; i < n; ++i) {
    auto s = y.sum();
    y = (x + i).to(device);
  }
}
)",
        {Rule::kUnusedTransfer});
}

TEST(UnusedTransferTest, unseen_reads) {
  check(R"(
void take(torch::Tensor&);
struct Holder { torch::Tensor t; };
auto f(torch::Tensor x, torch::Device device) {
  torch::Tensor a = x.to(device);
  torch::Tensor b = x.to(device);
  torch::Tensor c = x.to(device);
  Holder h;
  h.t = x.to(device);
  take(b);
  const torch::Tensor& name = c;
  auto s = name.sum();
  torch::Tensor d = x.to(device), e = d;
  return [a] { return a.sum(); };
}
)",
        {Rule::kUnusedTransfer});
}

TEST(UnusedTransferTest, timing) {
  check(R"(
void f(torch::Tensor x, torch::Device device) {
  auto y = x.to(device);
  torch::cuda::synchronize();
  auto unused = x.to(device);
  auto _ = x.to(device);
}
)",
        {Rule::kUnusedTransfer});
}

}  // namespace
}  // namespace xfer::analyzer::testing
