// Indices that are not there, met by kernels: the device fails, and what the host is told of it
// later names neither the operation nor the index. Here both are found again.
#pragma once

#include <cstdint>

#include "backend/backend.h"

namespace tensorlib::cuda {

// The arguments by which a kernel that checks indices can say where it met a wrong one.
struct FaultArguments {
  uint64_t note, call;
};
// Cost: a lock and a few words. The latest thousand calls are remembered.
FaultArguments fault_arguments(const Caller& caller);

// An IndexError, if a kernel has noted a wrong index.
void throw_noted_fault();

}  // namespace tensorlib::cuda
