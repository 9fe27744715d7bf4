// Replay buffers: lists of tuples, pairs, records and lists, whose elements are taken out again.

#include <torch/torch.h>

#include <deque>
#include <tuple>
#include <utility>
#include <vector>

struct Transition {
  torch::Tensor state, action;
};

class Buffer {
 public:
  void add(torch::Tensor state, torch::Tensor action) {
    steps.push_back(std::make_tuple(state, action));
    records.push_back({state, action});
    rewards.emplace_back(state, 1.0F);
    rows.push_back({state, action});
  }
  torch::Tensor bound(int i) {
    auto [state, action] = steps[i];
    return state;
  }
  torch::Tensor tied(int i) {
    torch::Tensor state, action;
    std::tie(state, action) = steps.at(i);
    return state;
  }
  torch::Tensor got(int i) { return std::get<0>(steps[i]); }
  torch::Tensor first(int i) { return rewards[i].first; }
  torch::Tensor nested(int i) { return rows[i][0]; }
  torch::Tensor looped() {
    std::vector<torch::Tensor> states;
    for (auto& [state, action] : steps) states.push_back(state);
    return torch::cat(states);
  }
  torch::Tensor referred(int n) {
    std::vector<torch::Tensor> states(n);
    for (int i = 0; i < n; ++i) {
      auto& step = steps[i];
      states[i] = std::get<0>(step);
    }
    return torch::cat(states);
  }
  std::vector<Transition> batch(int n) {
    std::vector<Transition> some;
    for (int i = 0; i < n; ++i) some.push_back(records[i]);
    return some;
  }

 private:
  std::deque<std::tuple<torch::Tensor, torch::Tensor>> steps;
  std::vector<Transition> records;
  std::deque<std::pair<torch::Tensor, float>> rewards;
  std::vector<std::vector<torch::Tensor>> rows;
};

int main() {
  Buffer buffer;
  buffer.add(torch::zeros({4}), torch::zeros({4}));
  auto weights = torch::ones({4}, torch::kCUDA);
  buffer.bound(0) * weights;                             // LINT: missing-transfer
  buffer.tied(0) * weights;                              // LINT: missing-transfer
  buffer.got(0) * weights;                               // LINT: missing-transfer
  buffer.first(0) * weights;                             // LINT: missing-transfer
  buffer.nested(0) * weights;                            // LINT: missing-transfer
  buffer.looped() * weights;                             // LINT: missing-transfer
  buffer.referred(2) * weights;                          // LINT: missing-transfer
  for (auto& step : buffer.batch(2)) step.state * weights;  // LINT: missing-transfer
  torch::nn::Linear net(4, 4);
  net->to(torch::kCUDA);
  for (auto& parameter : net->parameters())
    parameter.grad() * torch::zeros({4});  // LINT: missing-transfer
}
