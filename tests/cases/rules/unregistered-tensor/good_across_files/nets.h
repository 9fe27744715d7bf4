// Members that nobody leaves behind, as far as the files tell.
#pragma once

#include <torch/torch.h>

struct NeverMoved : torch::nn::Module {
  NeverMoved();
  torch::Tensor forward(torch::Tensor x);
  torch::Tensor mask;
};

struct NeverRun : torch::nn::Module {
  NeverRun();
  torch::Tensor forward(torch::Tensor x);
  torch::Tensor mask;
};

struct MovedByHand : torch::nn::Module {
  MovedByHand();
  torch::Tensor forward(torch::Tensor x);
  void place(torch::Device device);
  torch::Tensor mask;
};

struct RegisteredLater : torch::nn::Module {
  RegisteredLater();
  torch::Tensor forward(torch::Tensor x);
  void place(torch::Device device);
  torch::Tensor mask;
};

struct MovedFromOutside : torch::nn::Module {
  MovedFromOutside();
  torch::Tensor forward(torch::Tensor x);
  void place(torch::Device device);
  torch::Tensor mask;
};

struct Registered : torch::nn::Module {
  Registered();
  torch::Tensor forward(torch::Tensor x);
  void place(torch::Device device);
  torch::Tensor mask;
};
