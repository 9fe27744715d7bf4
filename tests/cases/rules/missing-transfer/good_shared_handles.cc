// Modules that several handles hold: what moves the module through one of them moves it for all.

#include <torch/torch.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

torch::Tensor on_cuda() { return torch::ones({1, 3}).to(torch::kCUDA); }

torch::Tensor by_an_iterator() {
  torch::nn::Linear layer(3, 3);
  std::vector<torch::nn::Linear> layers{layer};
  for (auto each = layers.begin(); each != layers.end(); ++each) (*each)->to(torch::kCUDA);
  return layer->forward(on_cuda());
}

torch::Tensor by_an_algorithm() {
  torch::nn::Linear layer(3, 3);
  std::vector<torch::nn::Linear> layers{layer};
  std::for_each(layers.begin(), layers.end(),
                [](torch::nn::Linear& each) { each->to(torch::kCUDA); });
  return layer->forward(on_cuda());
}

torch::Tensor in_a_map() {
  torch::nn::Linear layer(3, 3);
  std::map<std::string, torch::nn::Linear> layers;
  layers.emplace("first", layer);
  for (auto& entry : layers) entry.second->to(torch::kCUDA);
  return layer->forward(on_cuda());
}

torch::Tensor in_a_map_from_the_start() {
  torch::nn::Linear layer(3, 3);
  std::map<std::string, torch::nn::Linear> layers{{"first", layer}};
  layers.at("first")->to(torch::kCUDA);
  return layer->forward(on_cuda());
}

torch::Tensor in_pairs() {
  torch::nn::Linear layer(3, 3);
  std::vector<std::pair<std::string, torch::nn::Linear>> layers;
  layers.emplace_back("first", layer);
  for (auto& entry : layers) entry.second->to(torch::kCUDA);
  return layer->forward(on_cuda());
}

torch::Tensor bound_to_a_function() {
  torch::nn::Linear layer(3, 3);
  auto move = std::bind([](torch::nn::Linear& each) { each->to(torch::kCUDA); }, layer);
  move();
  return layer->forward(on_cuda());
}

torch::Tensor named_in_a_container() {
  torch::nn::Linear layer(3, 3);
  torch::nn::Sequential all({{"first", layer}});
  all->to(torch::kCUDA);
  return layer->forward(on_cuda());
}

class Trainer {
 public:
  explicit Trainer(torch::nn::Linear layer) : layer_(layer) {}
  void start() { layer_->to(torch::kCUDA); }
  torch::Tensor step(torch::Tensor x) { return layer_->forward(x); }

 private:
  torch::nn::Linear layer_;
};

torch::Tensor moved_by_its_trainer() {
  torch::nn::Linear layer(3, 3);
  Trainer trainer(layer);
  trainer.start();
  return layer->forward(on_cuda());
}

torch::Tensor moved_under_its_trainer() {
  torch::nn::Linear layer(3, 3);
  Trainer trainer(layer);
  layer->to(torch::kCUDA);
  return trainer.step(on_cuda());
}

torch::Tensor moved_by_one_of_many() {
  torch::nn::Linear layer(3, 3);
  std::vector<Trainer> trainers;
  trainers.emplace_back(layer);
  for (Trainer& trainer : trainers) trainer.start();
  return layer->forward(on_cuda());
}

struct Job {
  virtual ~Job() = default;
  virtual void run() = 0;
};

struct Move : Job {
  explicit Move(torch::nn::Linear layer) : layer(layer) {}
  void run() override { layer->to(torch::kCUDA); }
  torch::nn::Linear layer;
};

torch::Tensor moved_by_a_job() {
  torch::nn::Linear layer(3, 3);
  Job* job = new Move(layer);
  job->run();
  delete job;
  return layer->forward(on_cuda());
}

std::vector<torch::nn::Linear> known_layers;
void move_known_layers() {
  for (auto& each : known_layers) each->to(torch::kCUDA);
}

torch::Tensor known_to_all() {
  torch::nn::Linear layer(3, 3);
  known_layers.push_back(layer);
  move_known_layers();
  return layer->forward(on_cuda());
}
