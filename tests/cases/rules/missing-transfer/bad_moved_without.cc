// A method moves one of an object's tensors to a device and leaves another that meets it.

#include <torch/torch.h>

#include <istream>

namespace moved_without {

class Normaliser {
 public:
  explicit Normaliser(int64_t n) : mean_(torch::zeros({n})), deviation_(torch::ones({n})) {}

  void to(torch::Device device) { mean_ = mean_.to(device); }
  torch::Tensor apply(const torch::Tensor& state) const {
    return (state - mean_) / deviation_;  // LINT: missing-transfer
  }

 private:
  torch::Tensor mean_, deviation_;
};

// The function that reads a tensor does not say where it is.
void read(std::istream& in, torch::Tensor& into);

class Gaussian {
 public:
  void load(std::istream& in) {
    read(in, scale_);
    read(in, log_scale_);
  }
  void to(torch::Device device) { log_scale_ = log_scale_.to(device, torch::kFloat); }
  torch::Tensor log_prob(const torch::Tensor& action, const torch::Tensor& mean) const {
    const auto distance = (action - mean).square() / (2 * scale_);
    return -distance - log_scale_;  // LINT: missing-transfer
  }

 private:
  torch::Tensor scale_, log_scale_;
};

// A record, by functions of its own.
struct Rays {
  torch::Tensor origins, directions, colours, weights;
};
void make(Rays& rays, const torch::Tensor& all) {
  rays.origins = all.narrow(1, 0, 3);
  rays.directions = all.narrow(1, 3, 3);
}
void upload(Rays& rays) { rays.directions = rays.directions.cuda(); }
torch::Tensor at(const Rays& rays, const torch::Tensor& distances) {
  return rays.origins + rays.directions * distances;  // LINT: missing-transfer
}

}  // namespace moved_without
