#pragma once
// A filter behind an interface by which nobody calls it.

#include <torch/torch.h>

struct Filter {
  virtual ~Filter() = default;
  virtual void keep(const torch::Tensor& input) = 0;
};

class Scale : public Filter {
 public:
  Scale();
  void keep(const torch::Tensor& input) override;
  torch::Tensor scaled() const;

 private:
  torch::Tensor kept_, weight_;
};
