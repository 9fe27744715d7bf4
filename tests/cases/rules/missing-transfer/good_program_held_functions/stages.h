// Functions that fields, maps and lists hold, where they are given what they need, or where nobody
// can say what they are given.
#pragma once

#include <torch/torch.h>

#include <functional>
#include <future>
#include <map>
#include <string>
#include <vector>

using KeptStep = std::function<torch::Tensor(torch::Tensor)>;

struct KeptStage {
  torch::Tensor (*run)(torch::Tensor) = nullptr;
};

class KeptHook {
 public:
  void set(KeptStep hook);
  KeptStep& hook() { return hook_; }
  torch::Tensor run(torch::Tensor x) const;

 private:
  KeptStep hook_;
};

// Functions of another library, whatever they do.
KeptStep kept_by_name(const std::string& name);

torch::Tensor kept_scale(torch::Tensor x);
torch::Tensor kept_on_both(torch::Tensor x);
torch::Tensor kept_in_threads(torch::Tensor x);

torch::Tensor kept_object(torch::Tensor x);
torch::Tensor kept_bound(torch::Tensor x);
torch::Tensor kept_bound_again(torch::Tensor x);
torch::Tensor kept_objects_in_lists(torch::Tensor x);
