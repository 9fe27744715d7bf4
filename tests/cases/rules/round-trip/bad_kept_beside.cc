// The original stays where it was, so its memory is not free in between.

#include <torch/torch.h>

#include <utility>
#include <vector>

torch::Tensor work_between() {
  auto big = torch::randn({512, 512}, torch::kCUDA);
  return torch::mm(big, big).sum();
}

torch::Tensor another_name_holds_it() {
  auto x = torch::randn({8}, torch::kCUDA);
  auto same = x;
  auto host = x.cpu();
  x.reset();
  auto work = work_between();
  return host.to(torch::kCUDA) + work + same;  // LINT: round-trip
}

torch::Tensor never_let_go() {
  auto x = torch::randn({8}, torch::kCUDA);
  auto host = std::move(x).cpu();  // cpu() takes nothing away
  auto work = work_between();
  return host.to(torch::kCUDA) + work;  // LINT: round-trip
}

torch::Tensor moved_to_another_name() {
  auto x = torch::randn({8}, torch::kCUDA);
  auto host = x.cpu();
  auto held = std::move(x);
  auto work = work_between();
  return host.to(torch::kCUDA) + work + held;  // LINT: round-trip
}

torch::Tensor reset_another() {
  auto x = torch::randn({8}, torch::kCUDA);
  auto other = torch::randn({8}, torch::kCUDA);
  auto host = x.cpu();
  other.reset();
  auto work = work_between();
  return host.to(torch::kCUDA) + work + x;  // LINT: round-trip
}
