#pragma once
// The services for which it is all one whether threads or warps run one by one. What each does is
// said at kernels::Services.

#include <cstdint>

#include "kernels/frame.h"

namespace xfer::emulator::grid {

std::int32_t print(kernels::Thread* thread, std::uintptr_t format, std::uintptr_t arguments);
std::uintptr_t allocate(kernels::Thread* thread, std::uint64_t bytes);
void release(kernels::Thread* thread, std::uintptr_t address);
void trap(kernels::Thread* thread);
void fail_assertion(kernels::Thread* thread, std::uintptr_t message, std::uintptr_t file,
                    std::uint32_t line, std::uintptr_t function);

}  // namespace xfer::emulator::grid
