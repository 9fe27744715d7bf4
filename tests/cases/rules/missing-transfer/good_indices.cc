// Indices that the library takes from where they are.

#include <torch/torch.h>

#include <vector>

void indices_on_the_cpu() {
  auto boxes = torch::zeros({100, 4}).cuda();
  auto rows = torch::arange(5);
  auto a = boxes.index({rows});
  auto b = boxes.index({rows, torch::indexing::Slice(0, 2)});
  auto c = boxes[rows];
  boxes.index_put_({rows}, 1.0);
}

void an_index_without_dimensions_is_read_first() {
  auto boxes = torch::zeros({100, 4});
  auto best = torch::rand({100}).cuda().argmax();
  auto a = boxes[best];
  auto b = boxes.index({best, torch::indexing::Slice()});
}

void indices_that_were_brought_back() {
  auto boxes = torch::zeros({100, 4});
  auto mask = torch::rand({100}).cuda() > 0.5;
  auto kept = boxes.index({mask.cpu()});
}

void unknown_indices(torch::Tensor mask, const std::vector<torch::indexing::TensorIndex>& where) {
  auto boxes = torch::zeros({100, 4});
  auto a = boxes.index({mask});
  auto b = boxes.index(where);
}

// An operation without a row of its own has an unknown result for tensors in several places.
void several_places(torch::Tensor given) {
  auto gpu = torch::rand({4, 4}).cuda();
  auto mixed = torch::trapezoid(given, gpu);
  auto sum = mixed + torch::rand({4, 4});
}

void of_an_unknown_tensor(torch::Tensor given) {
  auto rows = torch::arange(5).cuda();
  auto a = given.index({rows});
}
