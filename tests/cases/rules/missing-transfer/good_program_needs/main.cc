// Calls that give something on the CPU, and what the callee does with it fits.

#include "scorer.h"

namespace {

// One network is on the CPU, another of its class on the device.
void on_both_sides(torch::Device device) {
  GoodScorer on_host;
  GoodScorer on_device;
  on_device->to(device);
  auto x = torch::rand({2, 4});
  auto mask = torch::ones({2, 4});
  on_host->penalised(x, mask);
  on_device->penalised(x.to(device), mask.to(device));
}

// The callee does not come to it, moves it, or asks for its shape alone.
void all_on_device(torch::Device device) {
  PlacedScorer scorer(device);
  auto x = torch::rand({2, 4}, device);
  auto mask = torch::ones({2, 4});
  auto on_device = torch::ones({2, 4}, device);
  scorer->sometimes(x, mask, true);
  scorer->sometimes(x, on_device, false);
  scorer->moved(x, mask);
  scorer->moved(x, on_device);
  scorer->shaped(x, mask);
  scorer->shaped(x, on_device);
  // A scalar may be on the CPU.
  scorer->scaled(x, torch::scalar_tensor(0.5));
  scorer->scaled(x, on_device);
}

}  // namespace

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  on_both_sides(device);
  all_on_device(device);
  return 0;
}
