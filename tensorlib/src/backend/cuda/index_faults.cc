#include "backend/cuda/index_faults.h"

#include <cuda_runtime_api.h>

#include <array>
#include <mutex>
#include <string>

#include "backend/class_fault.h"
#include "backend/cuda/check.h"
#include "kernels/index_fault.h"

namespace tensorlib::cuda {

namespace {

class IndexFaults {
 public:
  FaultArguments arguments(const Caller& caller) {
    const std::lock_guard lock(mutex_);
    if (fault_ == nullptr) {
      void* memory = nullptr;
      TENSORLIB_CUDA(cudaHostAlloc(&memory, sizeof(kernels::IndexFault), cudaHostAllocPortable));
      fault_ = new (memory) kernels::IndexFault{};
    }
    calls_[++count_ % calls_.size()] = caller;
    return {fault_->note(), count_};
  }

  void throw_noted() {
    const std::lock_guard lock(mutex_);
    if (fault_ == nullptr) return;
    const volatile kernels::IndexFault& fault = *fault_;
    if (fault.call == 0) return;
    const bool known = fault.call <= count_ && count_ - fault.call < calls_.size();
    const Caller caller = known ? calls_[fault.call % calls_.size()] : Caller{};
    const std::string what =
        caller.picks_classes ? no_such_class(caller.operation, fault.index, fault.at, fault.size)
                             : std::string(known ? caller.operation : "an operation by index") +
                                   ": index " + std::to_string(fault.index) +
                                   " of a dimension of size " + std::to_string(fault.size);
    throw IndexError(what +
                         "\nnote: a kernel met it, and CUDA ends the use of its device in this "
                         "process by that",
                     caller.site);
  }

 private:
  std::mutex mutex_;
  kernels::IndexFault* fault_ = nullptr;  // one for the process: after the first, all is over
  std::array<Caller, 1024> calls_;
  uint64_t count_ = 0;
};

IndexFaults& faults() {
  static auto* const faults = new IndexFaults;
  return *faults;
}

}  // namespace

FaultArguments fault_arguments(const Caller& caller) { return faults().arguments(caller); }
void throw_noted_fault() { faults().throw_noted(); }

}  // namespace tensorlib::cuda
