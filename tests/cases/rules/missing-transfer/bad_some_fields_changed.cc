// Functions and methods that change one field of an object: the others are where they were.

#include <torch/torch.h>

#include <memory>

namespace one_field {

struct Sample {
  torch::Tensor data, target;
  torch::Device where = torch::kCPU;
  void move_target() { target = target.to(torch::kCUDA); }
  void choose() { where = torch::kCUDA; }
};

struct Player {
  std::shared_ptr<torch::nn::LinearImpl> net;
  torch::Tensor memory;
  int steps = 0;
  void count() { ++steps; }
  void remember() { memory = torch::ones({2}); }
  void upload() { net->to(torch::kCUDA); }
};

struct Game {
  Player player;
  torch::Tensor board;
  void clear() { board = torch::zeros({2}); }
};

void move_target(Sample& sample) { sample.target = sample.target.to(torch::kCUDA); }
void move_net(const Player& player) { player.net->to(torch::kCUDA); }

void by_method() {
  Sample sample{torch::ones({2}), torch::ones({2})};
  sample.move_target();
  torch::add(sample.data, sample.target);  // LINT: missing-transfer
}

void by_function() {
  Sample sample{torch::ones({2}), torch::ones({2})};
  move_target(sample);
  torch::add(sample.data, sample.target);  // LINT: missing-transfer
}

void device_alone() {
  Sample sample{torch::ones({2}), torch::ones({2})};
  sample.choose();
  torch::add(sample.data, torch::ones({2}).to(sample.where));  // LINT: missing-transfer
}

void module_stays() {
  Player player;
  player.net = std::make_shared<torch::nn::LinearImpl>(2, 2);
  player.net->to(torch::kCUDA);
  player.remember();
  player.net->forward(player.memory);  // LINT: missing-transfer
}

void module_moved_by_method() {
  Player player;
  player.net = std::make_shared<torch::nn::LinearImpl>(2, 2);
  player.memory = torch::ones({2});
  player.upload();
  player.count();
  player.net->forward(player.memory);  // LINT: missing-transfer
}

void module_moved_by_function() {
  Player player;
  player.net = std::make_shared<torch::nn::LinearImpl>(2, 2);
  move_net(player);
  player.net->forward(torch::ones({2}));  // LINT: missing-transfer
}

void in_an_object_within() {
  Game game;
  game.player.memory = torch::ones({2}, torch::kCUDA);
  game.clear();
  torch::add(game.player.memory, game.board);  // LINT: missing-transfer
}

void on_one_path(bool again) {
  Sample sample{torch::ones({2}), torch::ones({2}, torch::kCUDA)};
  if (again) sample.move_target();
  torch::add(sample.data, torch::ones({2}, torch::kCUDA));  // LINT: missing-transfer
}

void in_a_loop(int steps) {
  Player player;
  player.net = std::make_shared<torch::nn::LinearImpl>(2, 2);
  player.net->to(torch::kCUDA);
  for (int i = 0; i < steps; ++i) {
    player.remember();
    player.net->forward(player.memory);  // LINT: missing-transfer
  }
}

}  // namespace one_field
