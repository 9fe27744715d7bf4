// Methods that change a field of their object, or of an object in it, by whatever way.

#include <torch/torch.h>

#include <utility>

void fetch_over(torch::Tensor& tensor);
void moved_over(torch::Tensor& tensor) { tensor = tensor.cuda(); }

struct Part {
  torch::Tensor data;
  void move() { data = data.cuda(); }
};

struct Whole {
  torch::Tensor data;
  Part part;

  void by_a_helper() { moved_over(data); }
  void by_a_helper_at_times(bool now) { if (now) moved_over(data); }
  void by_code_elsewhere(bool now) { if (now) fetch_over(data); }
  void by_a_swap(torch::Tensor& other) { std::swap(data, other); }
  void by_other_data() { data.set_data(data.cuda()); }
  void of_a_part() { part.move(); }
  void of_a_part_at_times(bool now) { if (now) part.data = part.data.cuda(); }
  void of_a_part_by_a_helper() { moved_over(part.data); }
};

void method_by_a_helper() {
  Whole whole;
  whole.data = torch::ones({2});
  whole.by_a_helper();
  torch::add(whole.data, torch::ones({2}, torch::kCUDA));
}

void method_by_a_helper_at_times() {
  Whole whole;
  whole.data = torch::ones({2});
  whole.by_a_helper_at_times(true);
  torch::add(whole.data, torch::ones({2}, torch::kCUDA));
}

void method_by_code_elsewhere() {
  Whole whole;
  whole.data = torch::ones({2});
  whole.by_code_elsewhere(true);
  torch::add(whole.data, torch::ones({2}, torch::kCUDA));
}

void method_by_a_swap() {
  Whole whole;
  whole.data = torch::ones({2});
  torch::Tensor other = torch::ones({2}, torch::kCUDA);
  whole.by_a_swap(other);
  torch::add(whole.data, torch::ones({2}, torch::kCUDA));
}

void method_by_other_data() {
  Whole whole;
  whole.data = torch::ones({2});
  whole.by_other_data();
  torch::add(whole.data, torch::ones({2}, torch::kCUDA));
}

void method_of_a_part() {
  Whole whole;
  whole.part.data = torch::ones({2});
  whole.of_a_part();
  torch::add(whole.part.data, torch::ones({2}, torch::kCUDA));
}

void method_of_a_part_at_times() {
  Whole whole;
  whole.part.data = torch::ones({2});
  whole.of_a_part_at_times(true);
  torch::add(whole.part.data, torch::ones({2}, torch::kCUDA));
}

void method_of_a_part_by_a_helper() {
  Whole whole;
  whole.part.data = torch::ones({2});
  whole.of_a_part_by_a_helper();
  torch::add(whole.part.data, torch::ones({2}, torch::kCUDA));
}
