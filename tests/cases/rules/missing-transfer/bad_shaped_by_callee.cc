// A tensor whose shape the caller does not know: the callee takes a part of it that has dimensions,
// so that it is no scalar.

#include <torch/torch.h>

using torch::indexing::Slice;

namespace {

class ShapedRays {
 public:
  explicit ShapedRays(torch::Device device) : device_(device) {}
  torch::Tensor through(int width, const torch::Tensor& pose) const {
    auto x = torch::arange(width, torch::dtype(torch::kFloat32)).to(device_);
    auto rays = torch::stack({x, -torch::ones_like(x)}, -1);
    return rays * pose.index({Slice(0, 2), Slice(0, 2)});
  }

 private:
  torch::Device device_;
};

torch::Tensor posed(float angle) {
  auto pose = torch::tensor({{1.0F, angle}, {0.0F, 1.0F}});
  return pose.matmul(pose);
}

}  // namespace

void views(int count) {
  ShapedRays rays(torch::kCUDA);
  auto moved = rays.through(2, posed(0.5F).cuda());
  for (int view = 0; view < count; ++view) {
    auto out = rays.through(2, posed(0.1F * view));  // LINT: missing-transfer
  }
}
