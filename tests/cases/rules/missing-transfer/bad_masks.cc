// Masks, bits and what is made of a tensor that stayed on the CPU. Linted on tensorlib's headers
// too.

#include <torch/torch.h>

void masks() {
  auto gpu = torch::randn({3, 3}).cuda();
  auto mask = torch::randn({3, 3}) > 0;
  auto a = gpu.masked_fill(mask, 0);      // LINT: missing-transfer
  auto b = torch::where(mask, gpu, gpu);  // LINT: missing-transfer
  gpu.masked_fill_(mask, 0);              // LINT: missing-transfer
}

void bits() {
  auto gpu = torch::arange(4).cuda();
  auto cpu = torch::arange(4);
  auto a = gpu & cpu;            // LINT: missing-transfer
  auto b = gpu ^ cpu;            // LINT: missing-transfer
  auto c = gpu.bitwise_or(cpu);  // LINT: missing-transfer
  auto d = gpu % cpu;            // LINT: missing-transfer
  gpu.remainder_(cpu);           // LINT: missing-transfer
}

void made_of_it() {
  auto gpu = torch::randn({3, 3}).cuda();
  auto cpu = torch::randn({3, 3});
  auto a = gpu + cpu.log1p();             // LINT: missing-transfer
  auto b = gpu + torch::tril(cpu);        // LINT: missing-transfer
  auto c = gpu * cpu.clamp_min(0);        // LINT: missing-transfer
  auto d = gpu * torch::gelu(cpu);        // LINT: missing-transfer
  auto e = gpu.mm(cpu.cumsum(0));         // LINT: missing-transfer
  auto f = gpu - cpu.masked_fill(cpu.gt(0), 1);  // LINT: missing-transfer
}
