// Lists that are changed through iterators, or by others who have them.

#include <torch/torch.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

void all_moved_in_a_map() {
  std::map<std::string, torch::Tensor> weights;
  weights["a"] = torch::ones({2});
  for (auto it = weights.begin(); it != weights.end(); ++it)
    it->second = it->second.to(torch::kCUDA);
  torch::add(weights["a"], torch::ones({2}, torch::kCUDA));
}

void by_a_reference() {
  std::map<std::string, torch::Tensor> weights;
  weights["a"] = torch::ones({2});
  auto it = weights.find("a");
  auto& weight = it->second;
  weight = weight.cuda();
  torch::add(weights["a"], torch::ones({2}, torch::kCUDA));
}

void all_moved() {
  std::vector<torch::Tensor> steps = {torch::ones({2})};
  for (auto it = steps.begin(); it != steps.end(); it++) *it = it->cuda();
  torch::add(steps[0], torch::ones({2}, torch::kCUDA));
}

using Steps = std::vector<torch::Tensor>;
void move_range(Steps::iterator from, Steps::iterator to) {
  for (; from != to; ++from) *from = from->cuda();
}

void by_a_helper() {
  std::vector<torch::Tensor> steps = {torch::ones({2})};
  auto it = steps.begin();
  move_range(it, steps.end());
  torch::add(steps[0], torch::ones({2}, torch::kCUDA));
}

void by_an_algorithm() {
  std::vector<torch::Tensor> steps = {torch::ones({2})};
  std::for_each(steps.begin(), steps.end(), [](torch::Tensor& step) { step = step.cuda(); });
  torch::add(*steps.begin(), torch::ones({2}, torch::kCUDA));
}

void erased_and_replaced() {
  std::vector<torch::Tensor> steps = {torch::ones({2})};
  auto it = steps.begin();
  it = steps.erase(it);
  it = steps.insert(it, torch::ones({2}, torch::kCUDA));
  torch::add(*it, torch::ones({2}, torch::kCUDA));
}

void of_either(bool other) {
  std::vector<torch::Tensor> host = {torch::ones({2})};
  std::vector<torch::Tensor> device = {torch::ones({2}, torch::kCUDA)};
  auto it = host.begin();
  if (other) it = device.begin();
  torch::add(*it, torch::ones({2}));
}

void in_a_lambda() {
  std::vector<torch::Tensor> steps = {torch::ones({2})};
  auto it = steps.begin();
  auto move = [it] { *it = it->cuda(); };
  move();
  torch::add(steps[0], torch::ones({2}, torch::kCUDA));
}

void swapped() {
  std::vector<torch::Tensor> host = {torch::ones({2})};
  std::vector<torch::Tensor> device = {torch::ones({2}, torch::kCUDA)};
  std::iter_swap(host.begin(), device.begin());
  torch::add(host[0], torch::ones({2}, torch::kCUDA));
}

struct Drawn {
  torch::Tensor image;
  int label;
};

void field_moved() {
  std::vector<Drawn> samples;
  samples.push_back({torch::ones({2}), 1});
  for (auto it = samples.begin(); it != samples.end(); ++it) it->image = it->image.cuda();
  samples.begin()->image + torch::ones({2}, torch::kCUDA);
  samples[0].image + torch::ones({2}, torch::kCUDA);
}

void part_bound() {
  std::map<std::string, torch::Tensor> weights;
  weights["a"] = torch::ones({2});
  auto it = weights.begin();
  auto& [name, weight] = *it;
  weight = weight.cuda();
  torch::add(it->second, torch::ones({2}, torch::kCUDA));
}
