#include "run_facts.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

#include "xfer/rules/machine.h"

namespace xfer::tracer {
namespace {

/// The first that is set: launchers of distributed jobs name them differently.
const char* first_of(std::initializer_list<const char*> names) {
  for (const char* const name : names)
    if (const char* const value = std::getenv(name)) return value;
  return "";
}

void record_place(TraceWriter& writer) {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) == 0) writer.set_metadata("host_name", host.data());
  writer.set_metadata("rank",
                      first_of({"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}));
  writer.set_metadata("world_size",
                      first_of({"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}));
}

}  // namespace

void record_run(TraceWriter& writer, bool emulated) {
  record_place(writer);
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
