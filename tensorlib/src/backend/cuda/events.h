// Events that memory waits for before it is given to somebody else.
#pragma once

#include <cuda_runtime_api.h>

#include <vector>

namespace tensorlib::cuda {

// Whether all of them are past. Those found to be are destroyed and leave the list.
inline bool are_past(std::vector<cudaEvent_t>& events) {
  while (!events.empty()) {
    if (cudaEventQuery(events.back()) == cudaErrorNotReady) {
      cudaGetLastError();
      return false;
    }
    cudaEventDestroy(events.back());
    events.pop_back();
  }
  return true;
}

}  // namespace tensorlib::cuda
