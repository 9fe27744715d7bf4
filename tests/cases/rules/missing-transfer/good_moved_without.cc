// Look-alikes of bad_moved_without: the two do not meet after the move, or one may stay.

#include <torch/torch.h>

namespace not_moved_without {

// One without dimensions may stay on the CPU.
class Scaled {
 public:
  explicit Scaled(int64_t n) : mean_(torch::zeros({n})), scale_(torch::tensor(2.0)) {}
  void to(torch::Device device) { mean_ = mean_.to(device); }
  torch::Tensor apply(const torch::Tensor& state) const { return (state - mean_) / scale_; }

 private:
  torch::Tensor mean_, scale_;
};

// It is moved where it is used.
class Late {
 public:
  explicit Late(int64_t n) : mean_(torch::zeros({n})), deviation_(torch::ones({n})) {}
  void to(torch::Device device) { mean_ = mean_.to(device); }
  torch::Tensor apply(const torch::Tensor& state) const {
    return (state - mean_) / deviation_.to(state.device());
  }

 private:
  torch::Tensor mean_, deviation_;
};

// The move makes the other one there.
class Remade {
 public:
  explicit Remade(int64_t n) : mean_(torch::zeros({n})), deviation_(torch::ones({n})) {}
  void to(torch::Device device) {
    mean_ = mean_.to(device);
    deviation_ = torch::ones({mean_.size(0)}, device);
  }
  torch::Tensor apply(const torch::Tensor& state) const { return (state - mean_) / deviation_; }

 private:
  torch::Tensor mean_, deviation_;
};

// Another method moves it.
class Parts {
 public:
  explicit Parts(int64_t n) : mean_(torch::zeros({n})), deviation_(torch::ones({n})) {}
  void to(torch::Device device) {
    mean_ = mean_.to(device);
    rest_to(device);
  }
  torch::Tensor apply(const torch::Tensor& state) const { return (state - mean_) / deviation_; }

 private:
  void rest_to(torch::Device device) { deviation_ = deviation_.to(device); }
  torch::Tensor mean_, deviation_;
};

// The upload moves the result that the host has computed of both.
class Images {
 public:
  explicit Images(int64_t n) : images_(torch::rand({n, 3})), mean_(torch::zeros({3})) {}
  void prepare() { images_ = images_ - mean_; }
  void upload(torch::Device device) { images_ = images_.to(device); }
  const torch::Tensor& images() const { return images_; }

 private:
  torch::Tensor images_, mean_;
};

// The same in one function.
class Uploaded {
 public:
  explicit Uploaded(int64_t n) : images_(torch::rand({n, 3})), mean_(torch::zeros({3})) {}
  void upload(torch::Device device) {
    auto centred = images_ - mean_;
    images_ = images_.to(device);
    centred_ = centred.to(device);
  }
  void upload_again(torch::Device device) { images_ = images_.to(device); }

 private:
  torch::Tensor images_, mean_, centred_;
};

// Other code gives the one that stays, where the other is.
class Given {
 public:
  explicit Given(int64_t n) : mean_(torch::zeros({n})), deviation_(torch::ones({n})) {}
  void to(torch::Device device) { mean_ = mean_.to(device); }
  void set_deviation(const torch::Tensor& deviation) { deviation_ = deviation; }
  torch::Tensor apply(const torch::Tensor& state) const { return (state - mean_) / deviation_; }

 private:
  torch::Tensor mean_, deviation_;
};

// It is moved to the CPU.
class Host {
 public:
  explicit Host(int64_t n) : mean_(torch::zeros({n})), deviation_(torch::ones({n})) {}
  void to_host() { mean_ = mean_.to(torch::kCPU); }
  torch::Tensor apply(const torch::Tensor& state) const { return (state - mean_) / deviation_; }

 private:
  torch::Tensor mean_, deviation_;
};

// Two objects: one is moved, the other is not.
struct Pair {
  torch::Tensor first, second;
};
void make(Pair& pair, const torch::Tensor& all) {
  pair.first = all[0];
  pair.second = all[1];
}
void upload_first(Pair& pair) { pair.first = pair.first.cuda(); }
torch::Tensor mixed(const Pair& there, const Pair& here) { return there.first + here.second; }

// The host reads the one that stays.
class Lengths {
 public:
  void load(const torch::Tensor& all) {
    rows_ = all[0];
    lengths_ = all[1];
  }
  void to(torch::Device device) { rows_ = rows_.to(device); }
  long first() const { return lengths_.data_ptr<long>()[0]; }
  torch::Tensor weighted() const { return rows_ * lengths_; }

 private:
  torch::Tensor rows_, lengths_;
};

}  // namespace not_moved_without
