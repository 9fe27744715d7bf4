// An iterator points to an element of its list; a map holds the values written to it.

#include <torch/torch.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

void found_by_its_name(const std::string& name) {
  std::map<std::string, torch::Tensor> weights;
  weights["a"] = torch::ones({2}, torch::kCUDA);
  auto it = weights.find(name);
  if (it == weights.end()) return;
  torch::add(it->second, torch::ones({2}));  // LINT: missing-transfer
}

void each_in_turn() {
  std::vector<torch::Tensor> steps = {torch::ones({2}, torch::kCUDA),
                                      torch::zeros({2}, torch::kCUDA)};
  torch::Tensor sum = torch::zeros({2});
  for (auto it = steps.begin(); it != steps.end(); ++it) sum = sum + *it;  // LINT: missing-transfer
}

void of_which_device(const std::string& name) {
  std::map<std::string, torch::Device> places = {{"gpu", torch::Device(torch::kCUDA)}};
  auto it = places.find(name);
  auto x = torch::ones({2}).to(it->second);
  torch::mul(x, torch::ones({2}));  // LINT: missing-transfer
}

void last_of_several() {
  std::vector<torch::Tensor> steps = {torch::ones({2}, torch::kCUDA)};
  auto host = torch::zeros({2});
  torch::add(*std::prev(steps.end()), host);  // LINT: missing-transfer
  torch::add(*(steps.end() - 1), host);  // LINT: missing-transfer
  torch::add(*steps.rbegin(), host);  // LINT: missing-transfer
  std::vector<torch::Tensor>::const_iterator it = steps.begin();
  it = std::next(it);
  torch::add(it[0], host);  // LINT: missing-transfer
  it->add(host);  // LINT: missing-transfer
}

struct Picked {
  torch::Tensor image;
  int label;
};

void field_of_an_element() {
  std::vector<Picked> samples;
  samples.push_back({torch::ones({2}, torch::kCUDA), 1});
  auto it = samples.begin();
  it->image + torch::ones({2});  // LINT: missing-transfer
  auto& [image, label] = *it;
  image + torch::ones({2});  // LINT: missing-transfer
}

void one_of_two_by_name(const std::string& name) {
  std::map<std::string, torch::Device> places{{"gpu", torch::kCUDA}, {"host", torch::kCPU}};
  auto x = torch::ones({2}).to(places.at(name));
  torch::mul(x, torch::ones({2}));  // LINT: missing-transfer
}

void in_an_optional() {
  std::optional<torch::Tensor> kept = torch::ones({2}, torch::kCUDA);
  kept->add(torch::ones({2}));  // LINT: missing-transfer
}
