#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer::testing {
namespace {

TEST(AsyncTest, reads) {
  check(R"(
torch::Tensor f(bool c) {
  torch::Tensor x = torch::randn({4}, torch::kCUDA);
  auto host = x.to(torch::kCPU, true);
  if (c) torch::cuda::synchronize();
  auto some = host + host;
  auto later = x.to(torch::kCPU, true);
  auto sum = later + later;  // expect: read-before-sync
  return some + sum;
}
)",
        {Rule::kReadBeforeSync, Rule::kAsyncSourceReuse});
}

TEST(AsyncTest, what_waits) {
  check(R"(
void somewhere();
float f(torch::Tensor cpu) {
  torch::Tensor x = torch::randn({4}, torch::kCUDA);
  auto a = x.to(torch::kCPU, true);
  somewhere();
  auto s = a.sum();
  auto b = x.to(torch::kCPU, true);
  float one = x.sum().item<float>();
  s = s + b.sum();
  auto c = x.to(torch::kCPU, true);
  auto blocking = (x + x).cpu();
  s = s + c.sum();
  auto d = x.to(torch::kCPU, true);
  auto n = torch::ones({2}).sum().item<float>() + d.size(0);
  return n + d.item<float>();  // expect: read-before-sync
}
)",
        {Rule::kReadBeforeSync, Rule::kAsyncSourceReuse});
}

TEST(AsyncTest, reuse) {
  check(R"(
torch::Tensor f(torch::Tensor given, int n) {
  auto staging = torch::zeros({4}, torch::TensorOptions().pinned_memory(true));
  torch::Tensor sum = torch::zeros({4}, torch::kCUDA);
  for (int i = 0; i < n; ++i) {
    staging.copy_(given);  // perhaps from the device, and then in its order
    sum += staging.to(torch::kCUDA, true);
  }
  auto next = torch::ones({4});
  for (int i = 0; i < n; ++i) {
    staging.copy_(next);  // expect: async-source-reuse
    sum += staging.to(torch::kCUDA, true);
  }
  auto pageable = torch::zeros({4});
  sum += pageable.to(torch::kCUDA, true);
  pageable.copy_(next);
  return sum;
}
)",
        {Rule::kReadBeforeSync, Rule::kAsyncSourceReuse});
}

}  // namespace
}  // namespace xfer::analyzer::testing
