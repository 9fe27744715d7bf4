// Objects that are called, and functions of which some parameters are bound: what they do with what
// they are given is not followed.

#include "stages.h"

namespace {

struct KeptMaker {
  torch::Tensor operator()(int size) const { return torch::rand({size}).cuda(); }
};

// Its first parameter is not the first that a call gives.
torch::Tensor kept_weighted(torch::Tensor weights, torch::Tensor x) {
  return x.cpu() * (weights * torch::ones({3}));
}

using KeptMake = std::function<torch::Tensor(int)>;

}  // namespace

torch::Tensor kept_object(torch::Tensor x) {
  KeptMake make = [](int size) { return torch::rand({size}); };
  x = x.cpu() + make(3);
  make = KeptMaker();
  return x.cuda() + make(3);
}

torch::Tensor kept_bound(torch::Tensor x) {
  auto weights = torch::rand({3});
  KeptStep step = std::bind(kept_weighted, weights, std::placeholders::_1);
  return step(x);
}

// The same of a function that is held: its first parameter is bound.
torch::Tensor kept_bound_again(torch::Tensor x) {
  std::function<torch::Tensor(torch::Tensor, torch::Tensor)> weighted =
      [](torch::Tensor weights, torch::Tensor t) {
        return t.cpu() * (weights * torch::ones({3}));
      };
  KeptStep step = std::bind(weighted, torch::rand({3}), std::placeholders::_1);
  return step(x);
}

torch::Tensor kept_objects_in_lists(torch::Tensor x) {
  std::vector<KeptMake> makers;
  makers.emplace_back([](int size) { return torch::rand({size}); });
  makers.emplace_back(KeptMaker());
  x = x.cuda() + makers.back()(3);
  std::vector<KeptMake> bound;
  bound.emplace_back([](int size) { return torch::rand({size}); });
  bound.emplace_back(std::bind(KeptMaker(), std::placeholders::_1));
  return x + bound.back()(3);
}
