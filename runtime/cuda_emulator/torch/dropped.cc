#include "torch/dropped.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <map>
#include <mutex>

namespace xfer::emulated_torch {
namespace {

constexpr std::size_t kMostCalls = 4096;  // a state has 5 KB

std::mutex mutex;
std::map<std::int64_t, at::Tensor> states;  // of the generator before each call

at::Tensor drawn(const at::Tensor& like, double probability, const at::Generator& generator) {
  return at::empty_like(like).bernoulli_(1 - probability, generator).div_(1 - probability);
}

}  // namespace

Kept draw_kept(const at::Tensor& like, double probability) {
  const at::Generator& generator = at::detail::getDefaultCPUGenerator();
  std::int64_t call = 0;
  {
    const std::lock_guard lock(mutex);
    call = states.empty() ? 1 : states.rbegin()->first + 1;
    if (states.size() == kMostCalls) states.erase(states.begin());
    states.emplace(call, generator.get_state());
  }
  return {drawn(like, probability, generator), call};
}

at::Tensor draw_kept_again(const at::Tensor& like, double probability, std::int64_t call) {
  at::Generator generator = at::detail::createCPUGenerator();
  {
    const std::lock_guard lock(mutex);
    const auto state = states.find(call);
    TORCH_CHECK(state != states.end(), "what its forward pass dropped is not known any more");
    generator.set_state(state->second);
  }
  return drawn(like, probability, generator);
}

}  // namespace xfer::emulated_torch
