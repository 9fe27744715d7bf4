// A library annotates its functions and classes where it declares them.

#include <torch/torch.h>

// Functions do what they say.
namespace functions {

[[clang::annotate("xfer: kind: transfer, result: cuda, discard: stays where it is")]]
torch::Tensor upload(const torch::Tensor& x);
[[clang::annotate("xfer: requires: same_device, result: operands")]]
torch::Tensor solve(const torch::Tensor& a, const torch::Tensor& b);
[[clang::annotate("xfer: result: cpu")]]
torch::Tensor read_image(const char* file);
torch::Tensor silent(const torch::Tensor& a, const torch::Tensor& b);
void bad() {
  torch::Tensor image = read_image("a.png");
  upload(image);  // LINT: discarded-transfer
  solve(image, upload(image));  // LINT: missing-transfer
}

void good() {
  torch::Tensor image = read_image("a.png");
  torch::Tensor there = upload(image);
  solve(there, upload(read_image("b.png")));
  silent(image, there);
}

}  // namespace functions

// A later declaration and a template say it too.
namespace declarations {

[[clang::annotate("xfer: requires: same_device, result: operands")]]
torch::Tensor solve(const torch::Tensor& a, const torch::Tensor& b);
torch::Tensor solve(const torch::Tensor& a, const torch::Tensor& b);
template <class T>
[[clang::annotate("xfer: kind: transfer, result: cuda")]] torch::Tensor upload_as(
    const torch::Tensor& x);
void bad(torch::Tensor x) {
  solve(torch::ones({2}), upload_as<float>(x));  // LINT: missing-transfer
}

void good(torch::Tensor x) { solve(torch::ones({2}).to(torch::kCUDA), upload_as<float>(x)); }

}  // namespace declarations

// Classes are what they say.
namespace classes {

namespace own {
class [[clang::annotate("xfer: role: tensor")]] Matrix {
 public:
  Matrix();
  Matrix(const Matrix&);
  ~Matrix();
  [[clang::annotate("xfer: kind: transfer, result: cuda, discard: stays on the host")]]
  Matrix on_gpu() const;
  [[clang::annotate("xfer: requires: same_device, result: operands")]]
  Matrix times(const Matrix&) const;
};

[[clang::annotate("xfer: result: cpu")]] Matrix zeros();
class Plain {
 public:
  Plain();
  Plain on_gpu() const;
  Plain times(const Plain&) const;
};
}  // namespace own
void bad() {
  own::Matrix a = own::zeros();
  a.on_gpu();  // LINT: discarded-transfer
  a.times(a.on_gpu());  // LINT: missing-transfer
}

void good(own::Plain p) {
  own::Matrix a = own::zeros().on_gpu();
  a.times(a);
  p.on_gpu();
  p.times(p.on_gpu());
}

}  // namespace classes

// Annotations of other tools belong to those tools.
namespace of_others {

[[clang::annotate("slow")]] [[clang::annotate("xfer: requires: same_device")]]
torch::Tensor solve(const torch::Tensor& a, const torch::Tensor& b);
[[clang::annotate("xferred: requires: same_device")]]
torch::Tensor other(const torch::Tensor& a, const torch::Tensor& b);
void run() {
  solve(torch::ones({2}), torch::ones({2}).to(torch::kCUDA));  // LINT: missing-transfer
  other(torch::ones({2}), torch::ones({2}).to(torch::kCUDA));
}

}  // namespace of_others
