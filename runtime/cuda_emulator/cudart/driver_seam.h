#pragma once
// Functions of the runtime that the emulated libcuda needs and that the runtime API does not offer.

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

extern "C" {

/// Sets the last error and returns the former one: a failing driver call leaves it as it was.
cudaError_t xfer_emulator_exchange_last_error(cudaError_t error);

/// The allocation that holds the address. False: none does.
bool xfer_emulator_allocation(const void* address, std::uintptr_t* begin, std::uint64_t* bytes);

/// Where the kernel's parameter lies among all of them. False: it has no such parameter.
bool xfer_emulator_kernel_parameter(const void* kernel, std::size_t index, std::size_t* offset,
                                    std::size_t* bytes);

/// The library (cudaLibrary_t) or the program's own module that the kernel is in; null: no kernel.
void* xfer_emulator_module_of(const void* kernel);

/// Which PTX of device code a device runs. False: none of it, and `why` says why.
bool xfer_emulator_ptx_to_run(std::string_view image, std::string* text, std::string* why);

struct xfer_emulator_wide_fill {
  void* destination;
  std::size_t pitch;
  unsigned value;
  unsigned value_bytes;  ///< 2 or 4
  std::size_t width;     ///< of a row, in bytes
  std::size_t height;
  bool async;
  bool per_thread;  ///< what a null stream means
};
/// A fill with a value of more than a byte. A watcher sees cudaMemset2D or cudaMemset2DAsync.
cudaError_t xfer_emulator_fill(const xfer_emulator_wide_fill* fill, cudaStream_t stream);
}
