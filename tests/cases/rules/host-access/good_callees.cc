// The callee moves what it reads, asks where it is, copies it, or may not get there.

#include <torch/torch.h>

#include <vector>

void launch(float* data);

float moves_first(torch::Tensor t) {
  t = t.cpu();
  return t.accessor<float, 1>()[0];
}

float asks_first(torch::Tensor t) {
  if (t.is_cuda()) return t.sum().item<float>();
  return t.accessor<float, 1>()[0];
}

float moves_if_it_must(torch::Tensor t) {
  if (t.is_cuda()) t = t.cpu();
  return t.accessor<float, 1>()[0];
}

float copies_an_item(torch::Tensor t) { return t[0].item<float>() + t.mean().item<float>(); }

float on_demand(torch::Tensor t, bool host) {
  if (host) return t.accessor<float, 1>()[0];
  return t.sum().item<float>();
}

void passes_on(torch::Tensor t) { launch(t.data_ptr<float>()); }

int64_t only_asks(torch::Tensor t) { return t.data_ptr<float>() == nullptr ? 0 : t.numel(); }

float reads_another(torch::Tensor t) {
  auto host = torch::zeros({4});
  host.copy_(t);
  return host.data_ptr<float>()[0];
}

float reads(const torch::Tensor& t) { return t.data_ptr<float>()[0]; }

float reads_one_of(const std::vector<torch::Tensor>& tensors) {
  return tensors[0].data_ptr<float>()[0];
}

float nothing_wrong() {
  auto x = torch::rand({4}).to(torch::kCUDA);
  auto host = x.cpu();
  float sum = moves_first(x) + asks_first(x) + moves_if_it_must(x) + copies_an_item(x);
  sum += on_demand(x, false) + reads_another(x) + reads(host) + reads(x.to(torch::kCPU));
  sum += reads_one_of({host, x});
  passes_on(x);
  return sum + static_cast<float>(only_asks(x));
}

float not_known(torch::Tensor x) { return reads(x) + reads_one_of({x}); }
