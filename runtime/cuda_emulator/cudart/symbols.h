#pragma once
// Variables of modules: memory on each device that uses them, with the first values that the PTX
// gives them; zeros, where it cannot be read.

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cudart/api_call.h"
#include "cudart/module.h"
#include "kernels/kernels.h"

namespace xfer::emulator {

/// The address of `bytes` bytes at `offset` of the variable, on the current device.
cudaError_t symbol_range(Session& session, const void* symbol, std::size_t offset,
                         std::size_t bytes, void** address);

/// Where the variable is on the device. Nothing: there is no memory.
std::optional<std::uintptr_t> address_of(Machine& machine, Symbol& symbol, int device);

/// Where the variables are, on the device, that the module's code uses. Nothing: there is no
/// memory.
std::optional<std::vector<std::uintptr_t>> variables_of(Machine& machine, Module* module,
                                                        const kernels::Code& code, int device);

/// Gives a managed variable its memory. Zero: there was none.
void make_managed(Machine& machine, Symbol& symbol);

/// Gives the module's managed variables their first values, if they have none yet.
void fill_managed(Machine& machine, Module* module);

}  // namespace xfer::emulator
