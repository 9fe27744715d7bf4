// Replay buffers whose elements are moved, in one of the ways there are, or lie in two places.

#include <torch/torch.h>

#include <deque>
#include <tuple>
#include <utility>
#include <vector>

using Step = std::tuple<torch::Tensor, torch::Tensor>;

class MovedWhenAdded {
 public:
  void add(torch::Tensor state, torch::Tensor action) {
    steps.push_back({state.to(torch::kCUDA), action.to(torch::kCUDA)});
  }
  torch::Tensor sample(int i) { return std::get<0>(steps[i]); }

 private:
  std::deque<Step> steps;
};

class MovedInPlace {
 public:
  void add(torch::Tensor state, torch::Tensor action) { steps.push_back({state, action}); }
  void move(int i) {
    auto& step = steps[i];
    std::get<0>(step) = std::get<0>(step).to(torch::kCUDA);
  }
  void move_all() {
    for (auto& [state, action] : steps) state = state.to(torch::kCUDA);
  }
  torch::Tensor sample(int i) { return std::get<0>(steps[i]); }

 private:
  std::deque<Step> steps;
};

void move_them(std::vector<Step>& steps);

class MovedByOthers {
 public:
  void add(torch::Tensor state, torch::Tensor action) {
    steps.emplace_back(state, action);
    move_them(steps);
  }
  torch::Tensor sample(int i) { return std::get<0>(steps[i]); }

 private:
  std::vector<Step> steps;
};

// A tensor without dimensions may be on the CPU.
class Returns {
 public:
  void add(torch::Tensor state, torch::Tensor reward) {
    steps.emplace_back(state.to(torch::kCUDA), reward.sum());
  }
  torch::Tensor sample(int i) { return std::get<1>(steps[i]); }

 private:
  std::vector<Step> steps;
};

int main() {
  auto weights = torch::ones({4}, torch::kCUDA);
  auto state = torch::zeros({4});
  MovedWhenAdded added;
  added.add(state, state);
  added.sample(0) * weights;
  MovedInPlace moved;
  moved.add(state, state);
  moved.move(0);
  moved.move_all();
  moved.sample(0) * weights;
  MovedByOthers others;
  others.add(state, state);
  others.sample(0) * weights;
  Returns returns;
  returns.add(state, state);
  returns.sample(0) * weights;
}
