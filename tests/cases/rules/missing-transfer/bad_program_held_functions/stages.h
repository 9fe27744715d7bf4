// Functions that fields, maps and lists hold.
#pragma once

#include <torch/torch.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

using HeldStep = std::function<torch::Tensor(torch::Tensor)>;

struct HeldStage {
  torch::Tensor (*run)(torch::Tensor) = nullptr;
};

class HeldHook {
 public:
  void set(HeldStep hook);
  torch::Tensor run(torch::Tensor x) const;

 private:
  HeldStep hook_;
};

class HeldSteps {
 public:
  void add(const std::string& name, HeldStep step) { steps_.emplace_back(name, std::move(step)); }
  std::vector<torch::Tensor> run(torch::Tensor x) const {
    std::vector<torch::Tensor> all;
    for (const auto& [name, step] : steps_) all.push_back(step(x));
    return all;
  }

 private:
  std::vector<std::pair<std::string, HeldStep>> steps_;
};

class HeldLosses {
 public:
  using Loss = std::function<torch::Tensor(torch::Tensor, torch::Tensor)>;
  HeldLosses();
  torch::Tensor of(const std::string& name, torch::Tensor a, torch::Tensor b) const;

 private:
  std::map<std::string, Loss> table_;
};

torch::Tensor held_scale(torch::Tensor x);
