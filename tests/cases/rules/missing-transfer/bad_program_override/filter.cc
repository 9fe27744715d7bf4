#include "filter.h"

Scale::Scale() : weight_(torch::ones({2, 4}).to(torch::kCUDA)) {}

void Scale::keep(const torch::Tensor& input) { kept_ = input; }

torch::Tensor Scale::scaled() const { return kept_ * weight_; }  // LINT: missing-transfer
