#pragma once
// Modules that a program loads while it runs: cudaLibraryLoadData, cuModuleLoadData and their kin.
// All with the machine's lock held.

#include <driver_types.h>

#include <string>
#include <string_view>

#include "cudart/api_call.h"
#include "cudart/module.h"

namespace xfer::emulator {

/// `image`: as image_at found it. Its contents are taken out at once: the program may change or
/// free it. *why says what stops it.
cudaError_t load_module(Session& session, std::string_view image, Module** module,
                        std::string* why);

bool is_loaded(const Module* module);

/// Waits for what was queued, then takes the module's variables and handles away.
cudaError_t unload_module(Session& session, Module* module);

/// Null: the module has none of that name.
Kernel* kernel_of(Module* module, const std::string& name);

/// The variable on the current device. cudaErrorSymbolNotFound: the module has none of that name.
cudaError_t variable_of(Session& session, Module* module, const std::string& name, void** address,
                        std::size_t* bytes);

}  // namespace xfer::emulator
