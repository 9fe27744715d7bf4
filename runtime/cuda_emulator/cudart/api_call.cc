#include "cudart/api_call.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "cudart/helpers.h"
#include "cudart/library_kernel.h"
#include "machine/cost_model.h"
#include "machine/say.h"

namespace xfer::emulator {
namespace {

// As the driver does at cuInit: a library that wants to see every call gets in before the first.
void load_injection() {
  const char* const path = std::getenv("CUDA_INJECTION64_PATH");
  if (path == nullptr || *path == '\0' || std::string_view(path) == "none") return;
  void* const library = dlopen(path, RTLD_NOW);
  if (library == nullptr) {
    say("xfercheck: CUDA_INJECTION64_PATH: {}\n", dlerror());
    return;
  }
  const auto initialize = reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"));
  if (initialize == nullptr) {
    say("xfercheck: CUDA_INJECTION64_PATH: {} has no InitializeInjection\n", path);
    return;
  }
  initialize();
}

void load_host_versions(std::string_view paths) {
  while (!paths.empty()) {
    const auto comma = paths.find(',');
    const std::string path(paths.substr(0, comma));
    paths = comma == std::string_view::npos ? std::string_view() : paths.substr(comma + 1);
    if (!path.empty() && dlopen(path.c_str(), RTLD_NOW) == nullptr) {
      say("xfercheck: emulate_kernels: {}\n", dlerror());
    }
  }
}

/// The kernel that is told of in the place of a dry launch, which uses what the host has sent.
const char* stand_in() {
  static const char* const name = [] {
    constexpr const char* kName = "xfer::uses_what_was_sent";
    xfer_emulator_register_kernel(kName, [](const LaunchContext*, void**) {}, nullptr, 0);
    return kName;
  }();
  return name;
}

}  // namespace

cudaError_t ensure_initialized() {
  if (Machine* const machine = Machine::existing()) {
    if (!machine->usable()) return cudaErrorInitializationError;
  }
  Machine& machine = Machine::instance();
  if (machine.device_count() == 0) return cudaErrorNoDevice;

  // The libraries loaded here may call CUDA themselves, and then must not wait for their own
  // loading.
  static std::recursive_mutex loading;
  static std::atomic<bool> loaded{false};
  static bool begun = false;
  if (!loaded.load(std::memory_order_acquire)) {
    const std::lock_guard lock(loading);
    if (!begun) {
      begun = true;
      load_injection();
      load_host_versions(machine.options().kernels);
      loaded.store(true, std::memory_order_release);
    }
  }
  load_helpers();
  return cudaSuccess;
}

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) this_thread_context().last_error = error;
  return error;
}

void ensure_context(int device) {
  Machine& machine = Machine::instance();
  if (!machine.make_context(device)) return;
  if (Observer* const observer = machine.observer.load(std::memory_order_acquire)) {
    observer->resource(Resource::kContextCreated, static_cast<std::uint32_t>(device) + 1, nullptr);
  }
}

cudaError_t ApiCall::enter() {
  if (const cudaError_t error = ensure_initialized(); error != cudaSuccess) return error;
  Machine& machine = Machine::instance();
  ThreadContext& thread = this_thread_context();
  ensure_context(thread.device);
  event_.correlation = machine.next_correlation();
  thread.correlation = event_.correlation;
  event_.context = static_cast<std::uint32_t>(thread.device) + 1;
  event_.correlation_data = &correlation_data_;
  event_.begin_ns = machine.now();
  if (thread.launches_dry && event_.symbol != nullptr) {
    is_untold_ = !std::exchange(thread.sent_dry, false);
    if (is_untold_) return cudaSuccess;
    event_.symbol = stand_in();
  }
  if (Observer* const observer = machine.observer.load(std::memory_order_acquire)) {
    observer->api(event_);
    thread.correlation = event_.correlation;  // the watcher may have called in between
  }
  machine.spend(cost::kCallNs);
  return cudaSuccess;
}

bool ApiCall::only_queues() const {
  const std::string_view name = event_.name;
  return name.find("Async") != std::string_view::npos ||
         name.find("Launch") != std::string_view::npos ||
         name.find("CallConfiguration") != std::string_view::npos ||
         name.starts_with("cudaEventRecord") || name.starts_with("cudaStreamWaitEvent") ||
         name.starts_with("cudaGet") || name.starts_with("cudaPeek") ||
         name.starts_with("cudaSetDevice");
}

cudaError_t ApiCall::lost() const { return Machine::instance().lost(); }

void ApiCall::leave(cudaError_t* result) {
  Machine& machine = Machine::instance();
  // A later call than the launch reports a kernel's error, as on a device, though the kernel may
  // have run already.
  if (const cudaError_t lost = machine.lost();
      lost != cudaSuccess && *result == cudaSuccess && !only_queues())
    *result = lost;
  machine.host_watch().close_again();
  if (is_untold_) return;
  if (Observer* const observer = machine.observer.load(std::memory_order_acquire)) {
    event_.exit = true;
    event_.return_value = result;
    event_.end_ns = machine.now();
    observer->api(event_);
  }
}

}  // namespace xfer::emulator
