#pragma once
// The common part of the runtime's entry points: it makes the machine, tells the watcher at enter
// and exit, and keeps the error for cudaGetLastError.
//
//   cudaError_t cudaFree(void* pointer) {
//     return XFER_CALL(cudaFree_v3020, pointer).run([&](Session& session) { ... });
//   }

#include <cupti_runtime_cbid.h>
#include <generated_cuda_runtime_api_meta.h>

#include <cstdint>

#include "machine/machine.h"
#include "machine/watch/own_work.h"
#include "xfer/no_cancel.h"

namespace xfer::emulator {

/// The machine, locked, and the calling thread's part of it.
struct Session {
  Machine& machine;
  Lock lock;
  ThreadContext& thread;

  /// Device memory of the current device is about to be used: its context exists from here on.
  Device& current() { return machine.device(thread.device); }
};

/// Before anything: loads what CUDA_INJECTION64_PATH and emulate_kernels name, once. Returns why
/// CUDA cannot be used, or success.
cudaError_t ensure_initialized();

extern "C" cudaError_t xfer_emulator_not_supported(const char* name);

/// Leaves `error` for cudaGetLastError.
cudaError_t remember(cudaError_t error);

/// Makes the context of the thread's current device if it has none, and tells the watcher.
void ensure_context(int device);

class ApiCall {
 public:
  ApiCall(std::uint32_t cbid, const char* name, const void* params, const char* symbol = nullptr)
      : event_{} {
    event_.cbid = cbid;
    event_.name = name;
    event_.params = params;
    event_.symbol = symbol;
  }
  ApiCall(const ApiCall&) = delete;
  ApiCall& operator=(const ApiCall&) = delete;

  /// body(session) -> cudaError_t, with the machine locked.
  template <typename Body>
  cudaError_t run(Body&& body) {
    const NoCancel no_cancel;
    const OwnWork own_work;
    cudaError_t result = enter();
    if (result != cudaSuccess) return remember(result);
    if (result = lost(); result == cudaSuccess) {
      Session session{Machine::instance(), Lock(Machine::instance().mutex()),
                      this_thread_context()};
      result = body(session);
    }
    leave(&result);
    return remember(result);
  }

 private:
  cudaError_t enter();
  cudaError_t lost() const;
  /// The call gives work to a device or asks for nothing, so the host learns nothing by it.
  bool only_queues() const;
  void leave(cudaError_t* result);

  ApiCallEvent event_;
  std::uint64_t correlation_data_ = 0;
  bool is_untold_ = false;  ///< a launch that nobody is told of
};

/// An ApiCall that owns the parameters it shows.
template <typename Params>
class ApiCallWith {
 public:
  ApiCallWith(std::uint32_t cbid, const char* name, Params params, const char* symbol = nullptr)
      : params_(params), call_(cbid, name, &params_, symbol) {}

  template <typename Body>
  cudaError_t run(Body&& body) {
    return call_.run(body);
  }

 private:
  Params params_;
  ApiCall call_;
};

}  // namespace xfer::emulator

// `versioned` is the call's name as the toolkit's tables have it, cudaFree_v3020.
#define XFER_CALL(versioned, ...)                                                         \
  ::xfer::emulator::ApiCallWith<versioned##_params>(CUPTI_RUNTIME_TRACE_CBID_##versioned, \
                                                    __func__, versioned##_params{__VA_ARGS__})
#define XFER_CALL_NO_PARAMS(versioned) \
  ::xfer::emulator::ApiCall(CUPTI_RUNTIME_TRACE_CBID_##versioned, __func__, nullptr)
