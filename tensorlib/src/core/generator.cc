#include "core/generator.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <numeric>

#include "autograd/record.h"
#include "backend/platform.h"
#include "core/check.h"
#include "core/mersenne_twister.h"
#include "core/tensor_impl.h"
#include "core/transfer.h"
#include "tensorlib/cuda.h"
#include "tensorlib/factories.h"

namespace tensorlib {

namespace {

constexpr uint64_t kDefaultSeed = 67280421310721;  // LibTorch's

RandomNumbers default_kind() {
  const char* text = std::getenv("TENSORLIB_RANDOM");
  return text != nullptr && std::strcmp(text, "libtorch") == 0 ? RandomNumbers::kLibTorch
                                                               : RandomNumbers::kParallel;
}

struct Generator {
  std::mutex mutex;
  RandomNumbers kind = default_kind();
  uint64_t seed = kDefaultSeed;
  uint64_t offset = 0;
  MersenneTwister twister{kDefaultSeed};
};

Generator& generator() {
  static Generator instance;
  return instance;
}

TensorOptions on_host(ScalarType type) { return TensorOptions(kCPU).dtype(type); }

void fill_like_libtorch(Generator& state, const Tensor& out, Distribution distribution, double a,
                        double b, CallSite site) {
  const TensorImpl& impl = *out.impl();
  const bool direct = impl.storage->device.is_cpu();
  const Tensor host = direct ? out : empty(impl.sizes, on_host(impl.dtype), site);
  switch (impl.dtype) {
#define TENSORLIB_SCALAR_TYPE(type, name, text)                                                  \
  case ScalarType::name:                                                                         \
    state.twister.fill(static_cast<type*>(host.impl()->writable()), impl.numel, distribution, a, \
                       b);                                                                       \
    break;
#include "tensorlib/scalar_types.def"
#undef TENSORLIB_SCALAR_TYPE
  }
  const CauseScope cause(TransferCause::kCreated);
  if (!direct) out.copy_(host, false, site);
}

}  // namespace

void manual_seed(uint64_t seed) {
  Generator& state = generator();
  const std::lock_guard lock(state.mutex);
  state.seed = seed;
  state.offset = 0;
  state.twister = MersenneTwister(seed);
}

namespace cuda {
void manual_seed(uint64_t seed) { tensorlib::manual_seed(seed); }
void manual_seed_all(uint64_t seed) { tensorlib::manual_seed(seed); }
}  // namespace cuda

void set_random_numbers(RandomNumbers kind) {
  Generator& state = generator();
  const std::lock_guard lock(state.mutex);
  state.kind = kind;
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
    NoGradGuard raw;
    out.copy_(plain, false, site);
    return;
  }
  RandomSpec spec{distribution, 0, 0, a, b};
  {
    Generator& state = generator();
    const std::lock_guard lock(state.mutex);
    if (state.kind == RandomNumbers::kLibTorch) {
      NoGradGuard raw;
      fill_like_libtorch(state, out, distribution, a, b, site);
      return;
    }
    spec.seed = state.seed;
    spec.offset = state.offset;
    state.offset += static_cast<uint64_t>(impl.numel);
  }
  backend_for(impl.storage->device).random(impl.dtype, impl.writable(), impl.numel, spec);
}

Tensor randperm(int64_t n, TensorOptions options, CallSite site) {
  if (n < 0) throw Error(str_cat("randperm: n is ", n, ", which is negative"), site);
  Tensor order = empty({n}, on_host(kLong), site);
  int64_t* const numbers = static_cast<int64_t*>(order.impl()->writable());
  std::iota(numbers, numbers + n, int64_t{0});
  Generator& state = generator();
  std::unique_lock lock(state.mutex);
  if (state.kind == RandomNumbers::kLibTorch) {
    for (int64_t i = 0; i + 1 < n; ++i) {
      std::swap(numbers[i], numbers[i + state.twister.random() % static_cast<uint64_t>(n - i)]);
    }
  } else {
    lock.unlock();
    // Sorted by random keys; equal ones keep their order.
    const Tensor keys = empty({n}, on_host(kLong), site);
    fill_random(keys, Distribution::integer, 0, 0x1p53, "randperm", site);
    const int64_t* const key = static_cast<const int64_t*>(keys.impl()->data());
    std::stable_sort(numbers, numbers + n, [key](int64_t a, int64_t b) { return key[a] < key[b]; });
  }
  const CauseScope cause(TransferCause::kCreated);
  options = options.dtype(options.dtype_opt().value_or(kLong)).device(options.device());
  return order.to(options, false, false, site);
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
