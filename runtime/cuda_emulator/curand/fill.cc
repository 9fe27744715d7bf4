#include "curand/fill.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <type_traits>

#include "cudart/library_kernel.h"
#include "curand/philox.h"
#include "curand/sobol.h"
#include "machine/cost_model.h"

namespace xfer::emulator {
namespace {

/// The arguments as the kernel takes them; the names below spell the same list.
struct Arguments {
  void* numbers;
  std::uint64_t count, seed, first;
  int distribution;
  double mean, deviation;
  int type;
  std::uint32_t dimensions;

  template <typename Visit>
  void each(Visit visit) {
    visit(numbers), visit(count), visit(seed), visit(first);
    visit(distribution), visit(mean), visit(deviation), visit(type), visit(dimensions);
  }
};

/// Above 0, up to 1.
template <typename Real>
Real uniform(PhiloxWords& words) {
  if constexpr (std::is_same_v<Real, float>)
    return (static_cast<float>(words() >> 8) + 1) * 0x1p-24F;
  else
    return (static_cast<double>(words.wide() >> 11) + 1) * 0x1p-53;
}

/// By Box and Muller.
double normal(PhiloxWords& words, double mean, double deviation) {
  const double size = std::sqrt(-2 * std::log(uniform<double>(words)));
  return mean + deviation * size * std::cos(2 * std::numbers::pi * uniform<double>(words));
}

template <typename Number>
Number number(Distribution distribution, double mean, double deviation, PhiloxWords& words) {
  if constexpr (std::is_integral_v<Number>) {
    if (distribution == Distribution::kPoisson)
      return static_cast<Number>(std::poisson_distribution<std::int64_t>(mean)(words));
    return static_cast<Number>(words.wide());
  } else {
    switch (distribution) {
      case Distribution::kNormal: return static_cast<Number>(normal(words, mean, deviation));
      case Distribution::kLogNormal:
        return static_cast<Number>(std::exp(normal(words, mean, deviation)));
      default: return uniform<Number>(words);
    }
  }
}

/// The number below which a standard normal one is with the probability: by bisection, as it is
/// asked for seldom.
double normal_below(double probability) {
  double low = -40, high = 40;
  for (int step = 0; step < 80; ++step) {
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::numbers::sqrt2) / 2 < probability ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// The least number up to which Poisson's is with the probability.
double poisson_below(double probability, double mean) {
  double number = 0, chance = std::exp(-mean), sum = chance;
  for (; sum < probability && number < mean + 60 * std::sqrt(mean) + 60; sum += chance)
    chance *= mean / ++number;
  return number;
}

template <typename Number>
Number quasirandom(const Fill& fill, const SobolTables& tables, std::uint64_t dimension,
                   std::uint64_t n) {
  if constexpr (std::is_integral_v<Number>)
    if (fill.distribution == Distribution::kBits) return sobol<Number>(tables, dimension, n);
  const double uniform = sobol_uniform(tables, dimension, n);
  switch (fill.distribution) {
    case Distribution::kPoisson: return static_cast<Number>(poisson_below(uniform, fill.mean));
    case Distribution::kNormal:
      return static_cast<Number>(fill.mean + fill.deviation * normal_below(uniform));
    case Distribution::kLogNormal:
      return static_cast<Number>(std::exp(fill.mean + fill.deviation * normal_below(uniform)));
    default: return static_cast<Number>(uniform);
  }
}

template <typename Number>
void run(const LaunchContext*, void** args) {
  const auto its = read_arguments<Arguments>(args);
  fill_host<Number>({static_cast<Distribution>(its.distribution), its.numbers, its.count, its.seed,
                     its.first, its.mean, its.deviation, static_cast<curandRngType_t>(its.type),
                     its.dimensions});
}

/// Its name is mangled: a tracer reads from it that the numbers are written.
template <typename Number>
constexpr const char* kName = nullptr;
template <>
constexpr const char* kName<unsigned> = "_Z20emulated_curand_bitsPjyyyiddij";
template <>
constexpr const char* kName<unsigned long long> = "_Z20emulated_curand_bitsPyyyyiddij";
template <>
constexpr const char* kName<float> = "_Z23emulated_curand_numbersPfyyyiddij";
template <>
constexpr const char* kName<double> = "_Z23emulated_curand_numbersPdyyyiddij";

}  // namespace

template <typename Number>
void fill_host(const Fill& fill) {
  auto* const numbers = static_cast<Number*>(fill.numbers);
  if (fill.type >= CURAND_RNG_QUASI_DEFAULT) {
    SobolTables tables;
    if (!find_tables(fill.type, &tables)) return;
    const std::uint64_t in_each = fill.count / fill.dimensions;
    for (std::uint64_t i = 0; i < fill.count; ++i)
      numbers[i] = quasirandom<Number>(fill, tables, i / in_each, fill.first + i % in_each);
    return;
  }
  for (std::uint64_t i = 0; i < fill.count; ++i) {
    PhiloxWords words(fill.seed, fill.first + i);
    numbers[i] = number<Number>(fill.distribution, fill.mean, fill.deviation, words);
  }
}

template <typename Number>
curandStatus_t fill_device(const Fill& fill, cudaStream_t stream) {
  const std::uint64_t bytes = fill.count * sizeof(Number);
  // The launch goes out all the same: as on a device, the fault shows at the next call.
  if (!xfer_emulator_check_operand("cuRAND", fill.numbers, bytes)) return CURAND_STATUS_SUCCESS;
  Arguments arguments{fill.numbers,
                      fill.count,
                      fill.seed,
                      fill.first,
                      static_cast<int>(fill.distribution),
                      fill.mean,
                      fill.deviation,
                      static_cast<int>(fill.type),
                      fill.dimensions};
  constexpr double kOperations = 50;  // for a number, about
  xfer_emulator_next_kernel_ns(
      cost::gemm_ns(kOperations * static_cast<double>(fill.count), static_cast<double>(bytes)));
  const auto blocks =
      static_cast<unsigned>(std::min<std::uint64_t>((fill.count + 255) / 256, 4096));
  return launch_library_kernel(library_stub<Arguments, &run<Number>>(kName<Number>), dim3(blocks),
                               places_of(arguments), stream) == cudaSuccess
             ? CURAND_STATUS_SUCCESS
             : CURAND_STATUS_LAUNCH_FAILURE;
}

template curandStatus_t fill_device<unsigned>(const Fill&, cudaStream_t);
template curandStatus_t fill_device<unsigned long long>(const Fill&, cudaStream_t);
template curandStatus_t fill_device<float>(const Fill&, cudaStream_t);
template curandStatus_t fill_device<double>(const Fill&, cudaStream_t);
template void fill_host<unsigned>(const Fill&);
template void fill_host<unsigned long long>(const Fill&);
template void fill_host<float>(const Fill&);
template void fill_host<double>(const Fill&);

}  // namespace xfer::emulator
