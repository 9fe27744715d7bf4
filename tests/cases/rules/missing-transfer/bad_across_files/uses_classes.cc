// Objects that are moved, and what they are given.

#include <torch/torch.h>

#include <memory>

#include "classes.h"

void moved() {
  Net net;
  net.to(torch::kCUDA);
  net.forward(torch::ones({8, 8}));  // LINT: missing-transfer
  auto shared = std::make_shared<Net>();
  shared->place(torch::kCUDA);
  shared->forward(torch::ones({8, 8}));  // LINT: missing-transfer
}

void moved_with_their_input() {
  Net net;
  net.forward(torch::ones({8, 8}));
  net.to(torch::kCUDA);
  net.forward(torch::ones({8, 8}).to(torch::kCUDA));
  net.place(torch::kCPU);
  net.forward(torch::ones({8, 8}));
  Careful careful;
  careful.to(torch::kCUDA);
  careful.forward(torch::ones({8, 8}));
}

// Through a getter.
torch::Tensor field_moved() {
  Field field;
  field.get()->to(torch::kCUDA);
  return field.run(torch::ones({2, 8}).to(torch::kCUDA));
}

torch::Tensor input_left_behind() {
  Field field;
  field.get()->to(torch::kCUDA);
  return field.run(torch::ones({2, 8}));  // LINT: missing-transfer
}

// A call that nobody can follow, and a virtual one that has a single callee.
void by_pointer(torch::Tensor (*chosen)(torch::Tensor, torch::Tensor)) {
  chosen(torch::ones({2}), torch::ones({2}).to(torch::kCUDA));
}

void final_call(FinalStep& step) {
  step.run(torch::ones({2}), torch::ones({2}).to(torch::kCUDA));  // LINT: missing-transfer
}
