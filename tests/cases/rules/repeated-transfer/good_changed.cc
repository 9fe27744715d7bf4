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
