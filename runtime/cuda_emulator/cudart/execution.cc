#include "cudart/execution.h"

#include "cudart/module.h"

namespace xfer::emulator {
namespace {

Execution translated(const Options& options, const Kernel& kernel) {
  Execution execution;
  execution.code = kernel.module->code(options, kernel.name, &execution.why);
  return execution;
}

}  // namespace

Execution execution_of(const Options& options, const Kernel& kernel) {
  const auto host = KernelRegistry::instance().host_version(kernel.name);
  switch (options.execute) {
    case Execute::kHostFirst:
      return host ? Execution{host, nullptr, {}} : translated(options, kernel);
    case Execute::kPtx: {
      Execution execution = translated(options, kernel);
      if (execution.code == nullptr) execution.host = host;
      return execution;
    }
    case Execute::kHost: return {host, nullptr, "it has no host version"};
    case Execute::kSkip: break;
  }
  return {nullptr, nullptr, "emulate_execute=skip"};
}

bool reads_ptx(const Options& options) {
  return options.execute == Execute::kHostFirst || options.execute == Execute::kPtx;
}

}  // namespace xfer::emulator
