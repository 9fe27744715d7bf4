#include "cudart/execution.h"

#include "cudart/module.h"

namespace xfer::emulator {
namespace {

Execution translated(Machine& machine, const Kernel& kernel) {
  const bool records = machine.options().touches && machine.touch_record().wanted(machine.memory());
  const auto extra = records ? kernels::Extra::kTouches : kernels::Extra::kNone;
  Execution execution;
  execution.code = kernel.module->code(machine.options(), kernel.name, extra, &execution.why);
  return execution;
}

}  // namespace

Execution execution_of(Machine& machine, const Kernel& kernel) {
  const auto host = KernelRegistry::instance().host_version(kernel.name);
  switch (machine.options().execute) {
    case Execute::kPtx: {
      Execution execution = translated(machine, kernel);
      if (execution.code == nullptr) execution.host = host;
      return execution;
    }
    case Execute::kHost: return {host, nullptr, "it has no host version"};
    case Execute::kSkip: break;
  }
  return {nullptr, nullptr, "emulate_execute=skip"};
}

bool reads_ptx(const Options& options) { return options.execute == Execute::kPtx; }

}  // namespace xfer::emulator
