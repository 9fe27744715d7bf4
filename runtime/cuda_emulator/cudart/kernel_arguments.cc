#include "cudart/kernel_arguments.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>

#include "cudart/demangle.h"
#include "cudart/error_names.h"
#include "machine/grid_runner.h"
#include "machine/say.h"

namespace xfer::emulator {

KernelArguments::KernelArguments(Machine& machine, int device,
                                 const std::vector<std::size_t>& sizes, void* const* args) {
  // Each argument gets the strictest alignment there is, 64 bytes included for vector types.
  constexpr std::size_t kAlign = 64;
  std::size_t total = kAlign;
  const auto rounded = [](std::size_t size) {
    return ((size & ~kPointerArgument) + kAlign - 1) / kAlign * kAlign;
  };
  for (const std::size_t size : sizes) total += rounded(size);
  storage_.resize(total / sizeof(std::max_align_t) + 1);
  auto next = reinterpret_cast<std::uintptr_t>(storage_.data());
  next = (next + kAlign - 1) / kAlign * kAlign;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    auto* const argument = reinterpret_cast<std::byte*>(next);
    const std::size_t bytes = sizes[i] & ~kPointerArgument;
    std::memcpy(argument, args[i], bytes);
    if ((sizes[i] & kPointerArgument) != 0) block_unreachable(machine, i, argument);
    translate(machine, device, argument, bytes);
    pointers_.push_back(argument);
    next += rounded(sizes[i]);
  }
  pointers_.push_back(nullptr);
}

void KernelArguments::block_unreachable(Machine& machine, std::size_t index, std::byte* argument) {
  std::uintptr_t word;
  std::memcpy(&word, argument, sizeof(word));
  const Place place = machine.locate(reinterpret_cast<const void*>(word));
  if (word == 0 || place.kind != MemoryKind::kPageable) return;
  unreachable_ +=
      fmt::format("; argument {} is a pointer to pageable host memory, 0x{:x}", index + 1, word);
  word |= kUnreachable;
  std::memcpy(argument, &word, sizeof(word));
}

void KernelArguments::translate(Machine& machine, int device, std::byte* argument,
                                std::size_t bytes) {
  const DeviceMemory& memory = machine.memory();
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= bytes; at += sizeof(std::uintptr_t)) {
    std::uintptr_t word;
    std::memcpy(&word, argument + at, sizeof(word));
    const int owner = memory.device_of(word);
    if (owner >= 0) {
      if (owner != device && machine.device(device).peers.count(owner) == 0) continue;
      word = memory.kernel_view(word);
      std::memcpy(argument + at, &word, sizeof(word));
    } else if (const auto block = machine.host_memory().find(word)) {
      host_ranges_.push_back({block->address, block->address + block->bytes});
    }
  }
}

void report_kernel_fault(Machine& machine, const Kernel& kernel, const std::string& what) {
  const cudaError_t error = what == kTrapped ? cudaErrorLaunchFailure : cudaErrorIllegalAddress;
  say("xfercheck: in {}: {}; every later CUDA call returns {}\n", demangle(kernel.name.c_str()),
      what, error_text(error).name);
  machine.set_lost(error);
}

}  // namespace xfer::emulator
