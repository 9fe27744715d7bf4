#include "core/generator.h"

#include <mutex>

#include "autograd/record.h"
#include "backend/platform.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/factories.h"

namespace tensorlib {

namespace {

struct Generator {
  std::mutex mutex;
  uint64_t seed = 67280421310721;  // LibTorch's default seed
  uint64_t offset = 0;
};

Generator& generator() {
  static Generator instance;
  return instance;
}

}  // namespace

void manual_seed(uint64_t seed) {
  Generator& state = generator();
  const std::lock_guard lock(state.mutex);
  state.seed = seed;
  state.offset = 0;
}

void fill_random(const Tensor& out, Distribution distribution, double a, double b,
                 const char* operation, CallSite site) {
  const TensorImpl& impl = require_defined(out, "self", operation, site);
  forget_record(out, operation, site);
  if (distribution != Distribution::integer) check_floating(operation, site, {"self", out});
  if (impl.numel == 0) return;
  if (!impl.contiguous) {
    Tensor plain = allocate_result(impl.sizes, impl.dtype, out, operation, site);
    fill_random(plain, distribution, a, b, operation, site);
    out.copy_(plain, false, site);
    return;
  }
  RandomSpec spec{distribution, 0, 0, a, b};
  {
    Generator& state = generator();
    const std::lock_guard lock(state.mutex);
    spec.seed = state.seed;
    spec.offset = state.offset;
    state.offset += static_cast<uint64_t>(impl.numel);
  }
  backend_for(impl.storage->device).random(impl.dtype, impl.writable(), impl.numel, spec);
}

Tensor& Tensor::uniform_(double from, double to, CallSite site) const {
  fill_random(*this, Distribution::uniform, from, to, "uniform_", site);
  return const_cast<Tensor&>(*this);
}

Tensor& Tensor::normal_(double mean, double std, CallSite site) const {
  fill_random(*this, Distribution::normal, mean, std, "normal_", site);
  return const_cast<Tensor&>(*this);
}

}  // namespace tensorlib
