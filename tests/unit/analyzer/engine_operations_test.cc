// Operations that have no row of their own, indices, and lists that functions return.
#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer::testing {
namespace {

TEST(OperationsTest, the_result_of_any_operation_is_where_its_tensors_are) {
  check(R"(
void f(torch::Device device) {
  torch::Tensor host = torch::ones({2, 3});
  torch::Tensor there = torch::ones({2, 3}).to(device);
  auto a = host + at::rot90(there);  // expect: missing-transfer
  auto b = host + there.diagonal();  // expect: missing-transfer
  auto modes = at::mode(there);
  auto c = host + std::get<0>(modes);  // expect: missing-transfer
  auto d = host + at::blend(there, there);  // expect: missing-transfer
  auto e = host.erfinv_() + there;  // expect: missing-transfer
  auto g = there + at::rot90(there) + at::blend(at::rot90(there), there);
  auto h = host + at::rot90(host);
})");
}

TEST(OperationsTest, of_tensors_in_several_places_nothing_is_known) {
  check(R"(
void f(torch::Device device, torch::Tensor given) {
  torch::Tensor host = torch::ones({2, 3});
  torch::Tensor there = torch::ones({2, 3}).to(device);
  auto a = host + at::blend(host, there);
  auto b = host + at::blend(given, there);
  auto c = host + at::empty_at(there, torch::kCPU);
  at::blend_out(there, host);
  auto d = host + there;
})");
}

TEST(OperationsTest, the_result_may_be_a_view) {
  check(R"(
void f(torch::Device device) {
  torch::Tensor x = torch::ones({2, 3});
  torch::Tensor first = x.to(device);
  torch::Tensor corner = x.diagonal();
  corner.zero_();
  torch::Tensor second = x.to(device);
  auto sum = first + second;
}
void unchanged(torch::Device device) {
  torch::Tensor x = torch::ones({2, 3});
  torch::Tensor first = x.to(device);
  torch::Tensor corner = x.diagonal();
  torch::Tensor second = x.to(device);  // expect: repeated-transfer
  auto sum = first + second;
})");
}

TEST(OperationsTest, indices_of_a_tensor_on_the_cpu_must_be_there) {
  check(R"(
void f(torch::Device device) {
  torch::Tensor boxes = torch::ones({8, 4});
  torch::Tensor mask = torch::ones({8}).to(device);
  auto a = boxes.index({mask});  // expect: missing-transfer
  auto b = boxes.index({1, mask});  // expect: missing-transfer
  auto c = boxes[mask];  // expect: missing-transfer
  boxes.index_put_({mask}, torch::ones({4}));  // expect: missing-transfer
})");
}

TEST(OperationsTest, indices_that_are_right) {
  check(R"(
void f(torch::Device device, torch::Tensor given) {
  torch::Tensor boxes = torch::ones({8, 4});
  torch::Tensor there = torch::ones({8, 4}).to(device);
  torch::Tensor mask = torch::ones({8});
  torch::Tensor moved = mask.to(device);
  auto a = there.index({mask});                    // indices may be on the CPU
  auto b = there.index({moved, 2});
  auto c = boxes.index({mask, 3});
  auto d = boxes[moved.sum()];                     // read by the host: it has no dimensions
  auto e = given.index({moved});
  auto g = boxes.index({given});
  boxes.index_put_({mask}, there);
})");
}

TEST(OperationsTest, lists_that_functions_return_keep_their_place_and_rank) {
  check(R"(
std::vector<torch::Tensor> made() {
  auto a = torch::ones({3});
  auto b = torch::ones({3});
  std::vector<torch::Tensor> both = {a, b};
  return both;
}
std::vector<torch::Tensor> written_out() { return {torch::ones({3}), torch::ones({3})}; }
std::vector<torch::Tensor> scalars() { return {torch::ones({3}).sum()}; }
void f(torch::Device device) {
  auto there = torch::ones({3}).to(device);
  auto pair = made();
  auto a = pair[0] + there;  // expect: missing-transfer
  auto b = pair[1].to(device) + there;
  auto c = written_out()[0] + there;  // expect: missing-transfer
  auto d = scalars()[0] + there;
})");
}

TEST(OperationsTest, a_view_of_written_sizes_has_their_rank) {
  check(R"(
void f(torch::Device device, torch::Tensor like) {
  auto there = torch::ones({4}).to(device);
  auto flat = torch::ones({2, 2});
  auto a = flat.view({4}) + there;  // expect: missing-transfer
  auto b = flat.view(like.sizes()) + there;  // expect: missing-transfer
  auto c = flat.sum().view({}) + there;
  auto d = flat.sum().view(like.sizes()) + there;
})");
}

}  // namespace
}  // namespace xfer::analyzer::testing
