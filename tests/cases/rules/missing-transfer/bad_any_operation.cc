// Operations that have no row of their own: the result is where the tensors are.

#include <torch/torch.h>

#include <tuple>
#include <vector>

void results(torch::Device device) {
  torch::Tensor host = torch::ones({2, 3});
  torch::Tensor there = torch::ones({2, 3}).to(device);
  auto a = host + at::rot90(there);  // LINT: missing-transfer
  auto b = host + there.diagonal();  // LINT: missing-transfer
  auto modes = at::mode(there);
  auto c = host + std::get<0>(modes);  // LINT: missing-transfer
  auto d = host + at::trapezoid(there, there);  // LINT: missing-transfer
  auto e = host.erfinv_() + there;  // LINT: missing-transfer
  auto g = there + at::rot90(there) + at::trapezoid(at::rot90(there), there);
  auto h = host + at::rot90(host);
}

// Lists that functions return keep their place and rank.
std::vector<torch::Tensor> made() {
  auto a = torch::ones({3});
  auto b = torch::ones({3});
  std::vector<torch::Tensor> both = {a, b};
  return both;
}

std::vector<torch::Tensor> written_out() { return {torch::ones({3}), torch::ones({3})}; }
std::vector<torch::Tensor> scalars() { return {torch::ones({3}).sum()}; }
void lists(torch::Device device) {
  auto there = torch::ones({3}).to(device);
  auto pair = made();
  auto a = pair[0] + there;  // LINT: missing-transfer
  auto b = pair[1].to(device) + there;
  auto c = written_out()[0] + there;  // LINT: missing-transfer
  auto d = scalars()[0] + there;
}

// A view of written sizes has their rank.
void views(torch::Device device, torch::Tensor like) {
  auto there = torch::ones({4}).to(device);
  auto flat = torch::ones({2, 2});
  auto a = flat.view({4}) + there;  // LINT: missing-transfer
  auto b = flat.view(like.sizes()) + there;  // LINT: missing-transfer
  auto c = flat.sum().view({}) + there;
  auto d = flat.sum().view(like.sizes()) + there;
}
