// The value is not the same any more.

#include <torch/torch.h>

void fill(torch::Tensor& tensor);

torch::Tensor in_place(torch::Device device) {
  auto x = torch::randn({8});
  auto before = x.to(device);
  x.add_(1);
  auto after = x.to(device);
  return before - after;
}

torch::Tensor through_a_view(torch::Device device) {
  auto x = torch::zeros({8});
  auto before = x.to(device);
  x[0] = 1;
  auto after = x.to(device);
  return before - after;
}

torch::Tensor through_another_name(torch::Device device) {
  auto x = torch::zeros({8});
  auto alias = x;
  auto before = x.to(device);
  alias.fill_(3);
  auto after = x.to(device);
  return before - after;
}

torch::Tensor by_a_call(torch::Device device) {
  auto x = torch::zeros({8});
  auto before = x.to(device);
  fill(x);
  auto after = x.to(device);
  return before - after;
}

torch::Tensor assigned(torch::Device device) {
  auto x = torch::randn({8});
  auto first = x.to(device);
  x = torch::randn({8});
  auto second = x.to(device);
  return first + second;
}

torch::Tensor through_a_pointer(torch::Device device) {
  auto x = torch::zeros({8});
  auto before = x.to(device);
  x.data_ptr<float>()[0] = 1;
  auto after = x.to(device);
  return before - after;
}

torch::Tensor copy_changed() {
  auto x = torch::randn({4, 4});
  auto first = x.cuda();
  first.zero_();
  auto second = x.cuda();
  return first + second;
}

torch::Tensor through_the_buffer(float* buffer) {
  auto x = torch::from_blob(buffer, {4, 4});
  auto before = x.cuda();
  buffer[0] = 1;
  auto after = x.cuda();
  return before - after;
}

// Any operation's result may be a view.
torch::Tensor through_its_diagonal(torch::Device device) {
  auto x = torch::ones({2, 3});
  auto first = x.to(device);
  auto corner = x.diagonal();
  corner.zero_();
  auto second = x.to(device);
  return first + second;
}

torch::Tensor let_go() {
  auto x = torch::randn({4, 4});
  auto a = x.cuda();
  a = torch::relu(a);
  return a + x.cuda();
}

// A pointer keeps nothing alive.
torch::Tensor pointed_to() {
  auto x = torch::randn({8});
  float* p = nullptr;
  {
    auto y = x.cuda();
    p = y.data_ptr<float>();
    auto s = y.sum();
  }
  return x.cuda().sum();
}
