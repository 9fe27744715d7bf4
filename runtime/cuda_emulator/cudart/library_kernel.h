#pragma once
// Kernels of emulated libraries: known to the emulated runtime as a program's own are, with a
// version for the CPU.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <type_traits>
#include <vector>

#include "machine/hooks.h"
#include "xfer/emulator/launch_context.h"

extern "C" {
void** __cudaRegisterFatBinary(void* fatbin);
void __cudaRegisterFunction(void** module, const char* stub, char* device_function,
                            const char* device_name, int thread_limit, uint3*, uint3*, dim3*, dim3*,
                            int*);
void xfer_emulator_register_kernel(const char* mangled_name, xfer::emulator::HostKernelRun run,
                                   const std::size_t* arg_sizes, std::size_t nargs);
void xfer_emulator_register_waiting_kernel(const char* mangled_name,
                                           const xfer::emulator::WaitingKernel* kernel,
                                           const std::size_t* arg_sizes, std::size_t nargs);
}

namespace xfer::emulator {

/// For the process: like a program's own module, it is given back by nobody.
inline void** library_module() {
  static void** const module = __cudaRegisterFatBinary(nullptr);
  return module;
}

inline void register_library_stub(const char* stub, const char* mangled_name) {
  __cudaRegisterFunction(library_module(), stub, nullptr, mangled_name, -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
}

/// `stub` is what is launched. A kernel whose `run` is null is skipped.
inline void register_library_kernel(const char* stub, const char* mangled_name, HostKernelRun run,
                                    const std::vector<std::size_t>& sizes) {
  register_library_stub(stub, mangled_name);
  if (run != nullptr) xfer_emulator_register_kernel(mangled_name, run, sizes.data(), sizes.size());
}

/// `kernel` and the name live as long as the process.
inline void register_waiting_kernel(const char* stub, const char* mangled_name,
                                    const WaitingKernel* kernel,
                                    const std::vector<std::size_t>& sizes) {
  register_library_stub(stub, mangled_name);
  xfer_emulator_register_waiting_kernel(mangled_name, kernel, sizes.data(), sizes.size());
}

// A kernel's arguments are a structure whose each(visit) visits them in their order.

template <typename Arguments>
std::vector<std::size_t> sizes_of_arguments() {
  std::vector<std::size_t> sizes;
  Arguments{}.each([&](const auto& value) { sizes.push_back(sizeof(value)); });
  return sizes;
}

template <typename Arguments>
Arguments read_arguments(void** args) {
  Arguments arguments{};
  std::size_t next = 0;
  arguments.each(
      [&](auto& value) { value = *static_cast<std::decay_t<decltype(value)>*>(args[next++]); });
  return arguments;
}

template <typename Arguments>
std::vector<void*> places_of(Arguments& arguments) {
  std::vector<void*> places;
  arguments.each(
      [&](auto& value) { places.push_back(const_cast<void*>(static_cast<const void*>(&value))); });
  return places;
}

/// The stub of a kernel that is registered when it is first asked for.
template <typename Arguments, HostKernelRun kRun>
const char* library_stub(const char* mangled_name) {
  static const char its = 0;  // its address is what is launched
  static const bool registered = [=] {
    register_library_kernel(&its, mangled_name, kRun, sizes_of_arguments<Arguments>());
    return true;
  }();
  static_cast<void>(registered);
  return &its;
}

inline cudaError_t launch_library_kernel(const char* stub, dim3 grid, std::vector<void*> arguments,
                                         cudaStream_t stream) {
  return cudaLaunchKernel(stub, grid, dim3(256), arguments.data(), 0, stream);
}

}  // namespace xfer::emulator
