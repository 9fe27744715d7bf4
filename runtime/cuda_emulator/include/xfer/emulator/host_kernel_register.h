#pragma once
// Tells the emulator of a kernel's host version, under the name that nvcc gives the kernel.

#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <utility>

#include "xfer/emulator/host_kernel_device.h"

namespace xfer::emulator {

template <auto Kernel>
struct HostKernel;

template <typename... Args, void (*Kernel)(Args...)>
struct HostKernel<Kernel> {
  static void run(const LaunchContext* context, void** args) {
    context->for_each_thread(
        context, &this_thread,
        [](void* raw) { call(static_cast<void**>(raw), std::index_sequence_for<Args...>{}); },
        args);
  }

  template <std::size_t... I>
  static void call([[maybe_unused]] void** args, std::index_sequence<I...>) {
    Kernel(*static_cast<std::remove_reference_t<Args>*>(args[I])...);
  }

  static bool register_it(const char* spelling) {
    const auto add =
        reinterpret_cast<RegisterKernel>(dlsym(RTLD_DEFAULT, "xfer_emulator_register_kernel"));
    if (add == nullptr) return false;
    Dl_info info{};
    void* const address = reinterpret_cast<void*>(Kernel);
    if (dladdr(address, &info) == 0 || info.dli_sname == nullptr || info.dli_saddr != address) {
      std::fprintf(
          stderr,
          "xfercheck: kernel %s has no dynamic symbol, its host version is not used; build "
          "it into a shared library with default visibility\n",
          spelling);
      return false;
    }
    static constexpr std::size_t kSizes[] = {
        (sizeof(Args) | (std::is_pointer_v<Args> ? kPointerArgument : 0))..., 0};
    add(info.dli_sname, &run, kSizes, sizeof...(Args));
    return true;
  }
};

}  // namespace xfer::emulator

#define XFER_HOST_KERNEL_JOIN_(a, b) a##b
#define XFER_HOST_KERNEL_NAME_(n) XFER_HOST_KERNEL_JOIN_(xfer_host_kernel_, n)

/// Registers a kernel, or one instance of a kernel template, when the library is loaded.
#define XFER_HOST_KERNEL(...)                                              \
  [[maybe_unused]] static const bool XFER_HOST_KERNEL_NAME_(__COUNTER__) = \
      ::xfer::emulator::HostKernel<&__VA_ARGS__>::register_it(#__VA_ARGS__)
