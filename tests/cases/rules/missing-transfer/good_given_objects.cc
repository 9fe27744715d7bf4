// Functions that change an object which they are given: what it held before is no more known.

#include <torch/torch.h>

#include <functional>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

struct Held {
  torch::Tensor data, target;
  std::vector<torch::Tensor> rest;
  void move() { data = data.cuda(); }
};

void fetch(torch::Tensor& tensor);
void moved(torch::Tensor& tensor) { tensor = tensor.cuda(); }
std::tuple<torch::Tensor, torch::Tensor> fetched();
Held made();
void run(std::function<void()> task);
std::thread worker;

void by_a_helper(Held& kept) {
  moved(kept.data);
}

void by_code_elsewhere(Held& kept, bool now) {
  if (now) fetch(kept.data);
}

void by_a_swap(Held& kept, torch::Tensor& other) {
  std::swap(kept.data, other);
}

void by_other_data(Held& kept) {
  kept.data.set_data(kept.data.cuda());
}

void by_a_reference(Held& kept, bool now) {
  auto& data = kept.data;
  if (now) data = data.cuda();
}

void by_a_tie(Held& kept, bool now) {
  if (now) std::tie(kept.data, kept.target) = fetched();
}

void by_its_parts(Held& kept) {
  auto& [data, target, rest] = kept;
  data = data.cuda();
}

void by_a_lambda(Held& kept) {
  run([&] { kept.data = kept.data.cuda(); });
}

void by_its_method(Held& kept, bool now) {
  if (now) kept.move();
}

void by_another_name(Held& kept, bool now) {
  Held& name = kept;
  if (now) name.data = name.data.cuda();
}

void as_a_whole(Held& kept, bool now) {
  if (now) kept = made();
}

void by_a_thread(Held& kept) {
  worker = std::thread([&kept] { kept.data = kept.data.cuda(); });
}

void use_by_a_helper() {
  Held kept;
  kept.data = torch::ones({2});
  by_a_helper(kept);
  torch::add(kept.data, torch::ones({2}, torch::kCUDA));
}

void use_by_code_elsewhere() {
  Held kept;
  kept.data = torch::ones({2});
  by_code_elsewhere(kept, true);
  torch::add(kept.data, torch::ones({2}, torch::kCUDA));
}

void use_by_a_swap() {
  Held kept;
  kept.data = torch::ones({2});
  torch::Tensor other = torch::ones({2}, torch::kCUDA);
  by_a_swap(kept, other);
  torch::add(kept.data, torch::ones({2}, torch::kCUDA));
}

void use_by_other_data() {
  Held kept;
  kept.data = torch::ones({2});
  by_other_data(kept);
  torch::add(kept.data, torch::ones({2}, torch::kCUDA));
}

void use_by_a_reference() {
  Held kept;
  kept.data = torch::ones({2});
  by_a_reference(kept, true);
  torch::add(kept.data, torch::ones({2}, torch::kCUDA));
}

void use_by_a_tie() {
  Held kept;
  kept.data = torch::ones({2});
  by_a_tie(kept, true);
  torch::add(kept.data, torch::ones({2}, torch::kCUDA));
}

void use_by_its_parts() {
  Held kept;
  kept.data = torch::ones({2});
  by_its_parts(kept);
  torch::add(kept.data, torch::ones({2}, torch::kCUDA));
}

void use_by_a_lambda() {
  Held kept;
  kept.data = torch::ones({2});
  by_a_lambda(kept);
  torch::add(kept.data, torch::ones({2}, torch::kCUDA));
}

void use_by_its_method() {
  Held kept;
  kept.data = torch::ones({2});
  by_its_method(kept, true);
  torch::add(kept.data, torch::ones({2}, torch::kCUDA));
}

void use_by_another_name() {
  Held kept;
  kept.data = torch::ones({2});
  by_another_name(kept, true);
  torch::add(kept.data, torch::ones({2}, torch::kCUDA));
}

void use_as_a_whole() {
  Held kept;
  kept.data = torch::ones({2});
  as_a_whole(kept, true);
  torch::add(kept.data, torch::ones({2}, torch::kCUDA));
}

void use_by_a_thread() {
  Held kept;
  kept.data = torch::ones({2});
  by_a_thread(kept);
  worker.join();
  torch::add(kept.data, torch::ones({2}, torch::kCUDA));
}
