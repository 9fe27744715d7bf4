// Pointers that others change, that change on the way, or that nobody follows.

#include <torch/torch.h>

void change(float*& p);
void change_by_address(float** p);
void launch(const float* p);

float changed_by_others(float* mine) {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  float* p = x.data_ptr<float>();
  change(p);
  float* q = x.data_ptr<float>();
  change_by_address(&q);
  float* r = x.data_ptr<float>();
  auto set = [&] { r = mine; };
  set();
  return p[0] + q[0] + r[0];
}

float after_a_first_iteration(float* mine, int n) {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  float sum = 0;
  float* p = mine;
  for (int i = 0; i < n; ++i) {
    sum += p[i];
    p = x.data_ptr<float>();
  }
  return sum;
}

std::size_t addresses() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  float* p = x.data_ptr<float>();
  launch(&p[3]);
  launch(&*p);
  return sizeof(*p);
}
