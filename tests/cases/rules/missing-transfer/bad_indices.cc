// A tensor on the CPU, and indices that are not.

#include <torch/torch.h>

#include <vector>

void masks(torch::Device device) {
  auto boxes = torch::zeros({100, 4});
  auto scores = torch::rand({100}, device);
  auto kept = boxes.index({scores > 0.5});  // LINT: missing-transfer
  auto all = boxes[scores > 0.5];           // LINT: missing-transfer
  boxes.index_put_({scores > 0.9}, 1.0);    // LINT: missing-transfer
}

void rows_and_columns() {
  using torch::indexing::Slice;
  auto table = torch::zeros({10, 10});
  auto rows = torch::arange(5).cuda();
  auto a = table.index({rows, Slice()});  // LINT: missing-transfer
  auto b = table.index({0, rows});        // LINT: missing-transfer
  std::vector<torch::indexing::TensorIndex> where{Slice(), rows};
  auto c = table.index(where);  // LINT: missing-transfer
}

void functions() {
  auto table = torch::zeros({10, 10});
  auto rows = torch::arange(5).cuda();
  auto a = table.index_select(0, rows);            // LINT: missing-transfer
  auto b = torch::take(table, rows);               // LINT: missing-transfer
  auto c = table.masked_select(table.cuda() > 0);  // LINT: missing-transfer
}

void results_of_operations() {
  auto x = torch::rand({2, 3, 4, 4});
  auto gpu = torch::rand({2, 3, 8, 8}).cuda();
  auto a = at::upsample_nearest2d(x, {8, 8}) + gpu;    // LINT: missing-transfer
  auto b = torch::fft::fft(x) + torch::fft::fft(gpu);  // LINT: missing-transfer
}
