#include "cudart/driver_seam.h"

#include <utility>

#include "cudart/api_call.h"
#include "cudart/execution.h"
#include "cudart/module.h"
#include "cudart/transfer.h"

using namespace xfer::emulator;

extern "C" {

cudaError_t xfer_emulator_exchange_last_error(cudaError_t error) {
  return std::exchange(this_thread_context().last_error, error);
}

bool xfer_emulator_allocation(const void* address, std::uintptr_t* begin, std::uint64_t* bytes) {
  Machine& machine = Machine::instance();
  const Lock lock(machine.mutex());
  const AddressInfo place = machine.locate(address);
  if (place.begin == 0 || place.dangling) return false;
  *begin = place.begin;
  *bytes = place.bytes;
  return true;
}

bool xfer_emulator_kernel_parameter(const void* kernel, std::size_t index, std::size_t* offset,
                                    std::size_t* bytes) {
  Machine& machine = Machine::instance();
  const Lock lock(machine.mutex());
  const Kernel* const found = KernelRegistry::instance().find(kernel);
  if (found == nullptr) return false;
  const Execution execution = execution_of(machine, *found);
  if (execution.code == nullptr || index >= execution.code->parameters.size()) return false;
  *offset = execution.code->parameters[index].offset;
  *bytes = execution.code->parameters[index].bytes;
  return true;
}

void* xfer_emulator_module_of(const void* kernel) {
  const Kernel* const found = KernelRegistry::instance().find(kernel);
  return found == nullptr ? nullptr : found->module;
}

cudaError_t xfer_emulator_fill(const xfer_emulator_wide_fill* fill, cudaStream_t stream) {
  const auto work = [&](Session& session) {
    const auto address = reinterpret_cast<std::uintptr_t>(fill->destination);
    if (address % fill->value_bytes != 0) return cudaErrorInvalidValue;
    return xfer::emulator::fill(
        session,
        {.destination = fill->destination,
         .pitch = fill->pitch,
         .value = static_cast<int>(fill->value),
         .width = fill->width,
         .height = fill->height,
         .value_bytes = fill->value_bytes},
        session.machine.stream(
            stream, fill->per_thread ? DefaultStream::kPerThread : DefaultStream::kLegacy),
        fill->async);
  };
  const auto value = static_cast<int>(fill->value);
  if (fill->async)
    return ApiCallWith<cudaMemset2DAsync_v3020_params>(
               CUPTI_RUNTIME_TRACE_CBID_cudaMemset2DAsync_v3020, "cudaMemset2DAsync",
               {fill->destination, fill->pitch, value, fill->width, fill->height, stream})
        .run(work);
  return ApiCallWith<cudaMemset2D_v3020_params>(
             CUPTI_RUNTIME_TRACE_CBID_cudaMemset2D_v3020, "cudaMemset2D",
             {fill->destination, fill->pitch, value, fill->width, fill->height})
      .run(work);
}
}
