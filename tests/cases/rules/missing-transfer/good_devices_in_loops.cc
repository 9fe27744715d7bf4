// Devices of records that change in a loop, or on one path.

#include <torch/torch.h>

struct Place {
  torch::Device device = torch::kCPU;
};

void changes(Place& place, torch::nn::Linear net) {
  for (int step = 0; step < 3; ++step) {
    auto input = torch::zeros({2, 4}).to(place.device);
    net->to(place.device);
    net->forward(input);
    place.device = torch::kCUDA;
  }
}

void on_one_path(Place& place, torch::nn::Linear net, bool more) {
  if (more) place.device = torch::kCUDA;
  net->to(place.device);
  net->forward(torch::zeros({2, 4}).to(place.device));
}

int main(int argc, char**) {
  Place place;
  torch::nn::Linear net(4, 4);
  changes(place, net);
  on_one_path(place, net, argc > 1);
}
