// A loop needs a tensor in its first iteration; a callee needs one in its loop.

#include <torch/torch.h>

// A callee needs a tensor in its loop.
void steps(torch::nn::Linear model, torch::Tensor x, int n) {
  for (int i = 0; i < n; ++i) {
    if (i == 7) break;
    model->forward(x);
  }
}

void seldom(torch::nn::Linear model, torch::Tensor x, int n) {
  for (int i = 0; i < n; ++i)
    if (i % 10 == 0) model->forward(x);
}

void early(torch::nn::Linear model, torch::Tensor x, int n) {
  while (n > 0) {
    model->forward(x);
    if (--n == 3) return;
  }
}

void run() {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  auto x = torch::ones({8, 8});
  steps(model, x, 3);
  seldom(model, x, 3);  // LINT: missing-transfer
  early(model, x, 3);  // LINT: missing-transfer
  early(model, x.to(torch::kCUDA), 3);
}

// The first iteration needs a tensor on the device; later ones have it there.
void hidden_state(int n) {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  auto h = torch::zeros({8, 8});
  for (int i = 0; i < n; ++i) h = model->forward(h);  // LINT: missing-transfer
  auto moved = torch::zeros({8, 8}, torch::kCUDA);
  for (int i = 0; i < n; ++i) moved = model->forward(moved);
}

void later(int n, torch::Tensor x) {
  auto previous = torch::zeros({8, 8});
  auto sum = torch::zeros({8, 8}, torch::kCUDA);
  for (int i = 0; i < n; ++i) {
    if (i > 0) torch::matmul(previous, sum);
    previous = torch::ones({8, 8}, torch::kCUDA);
  }
  auto moves = torch::zeros({8, 8});
  for (int i = 0; i < n; ++i) moves = moves.to(torch::kCUDA);
  torch::matmul(moves, sum);
}

// A path that throws returns nothing.
torch::Tensor throws(bool good) {
  if (good) return torch::ones({8, 8});
  throw 1;
}

void uses() { torch::matmul(throws(true), torch::ones({8, 8}, torch::kCUDA)); }  // LINT: missing-transfer
