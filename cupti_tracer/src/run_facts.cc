#include "run_facts.h"

#include <cstdlib>
#include <string>

#include "xfer/rules/machine.h"

namespace xfer::tracer {

void record_run(TraceWriter& writer, bool emulated) {
  const Machine machine = this_machine();
  writer.set_metadata("machine.cpu", machine.cpu);
  writer.set_metadata("machine.os", machine.os);
  writer.set_metadata("emulated", emulated ? "1" : "0");
  if (emulated) {
    const char* const count = std::getenv("XFERCHECK_EMULATE");
    writer.set_metadata("emulated.devices", count != nullptr ? count : "");
    return;
  }
  std::string names;
  for (const std::string& name : machine.gpus) names += (names.empty() ? "" : "\n") + name;
  writer.set_metadata("gpu.names", names);
  writer.set_metadata("gpu.driver", machine.driver);
}

}  // namespace xfer::tracer
