#include "torch/generators.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

#include <map>
#include <mutex>

namespace xfer::emulated_torch {
namespace {

struct Twin {
  at::Generator on_host;
  std::uint64_t seed;
};

bool is_default(const at::Generator& generator) {
  return generator == at::globalContext().defaultGenerator(generator.device());
}

}  // namespace

// A device's generator counts what it has drawn. At 0 it has been seeded, perhaps again.
std::optional<at::Generator> on_host(const at::Generator& of_device) {
  if (!of_device.defined() || of_device.device().is_cpu()) return of_device;
  if (is_default(of_device)) return std::nullopt;
  static std::mutex mutex;
  static std::map<const c10::GeneratorImpl*, Twin> twins;
  const std::lock_guard lock(mutex);
  const std::uint64_t seed = of_device.current_seed();
  const auto found = twins.find(of_device.unsafeGetGeneratorImpl());
  if (found != twins.end() && found->second.seed == seed && of_device.get_offset() != 0)
    return found->second.on_host;
  const at::Generator made = at::make_generator<at::CPUGeneratorImpl>(seed);
  twins.insert_or_assign(of_device.unsafeGetGeneratorImpl(), Twin{made, seed});
  return made;
}

}  // namespace xfer::emulated_torch
