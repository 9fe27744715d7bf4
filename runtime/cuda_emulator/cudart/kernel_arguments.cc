#include "cudart/kernel_arguments.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstring>

#include "cudart/demangle.h"
#include "cudart/error_names.h"
#include "cudart/module.h"
#include "machine/grid_in_progress.h"
#include "machine/page.h"
#include "machine/say.h"
#include "machine/time_limit.h"

namespace xfer::emulator {
namespace {

std::uintptr_t word_at(const std::byte* argument) {
  std::uintptr_t word;
  std::memcpy(&word, argument, sizeof(word));
  return word;
}

/// Whether a word is an address of this process's memory: PTX need not say that a parameter is a
/// pointer. Low addresses, where a program may be too, are as likely to be numbers.
bool is_memory(std::uintptr_t word) {
  constexpr std::uintptr_t kLowest = std::uintptr_t{1} << 45;
  unsigned char there = 0;
  return word >= kLowest &&
         mincore(reinterpret_cast<void*>(word / page_bytes() * page_bytes()), 1, &there) == 0;
}

}  // namespace

KernelArguments::KernelArguments(Machine& machine, int device,
                                 const std::vector<std::size_t>& sizes, void* const* args) {
  // Each argument is aligned as strictly as any may be.
  std::size_t total = 0;
  const auto rounded = [](std::size_t size) {
    return ((size & ~kPointerArgument) + kAlign - 1) / kAlign * kAlign;
  };
  for (const std::size_t size : sizes) total += rounded(size);
  make_room(total);
  std::byte* argument = begin_;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t bytes = sizes[i] & ~kPointerArgument;
    std::memcpy(argument, args[i], bytes);
    if ((sizes[i] & kPointerArgument) != 0) block_unreachable(machine, i, argument);
    examine(machine, device, argument, bytes, true);
    pointers_.push_back(argument);
    argument += rounded(sizes[i]);
  }
  pointers_.push_back(nullptr);
}

KernelArguments::KernelArguments(Machine& machine, int device, const kernels::Code& code,
                                 void* const* args) {
  make_room(code.parameter_bytes);
  for (std::size_t i = 0; i < code.parameters.size(); ++i) {
    const kernels::Parameter& parameter = code.parameters[i];
    std::byte* const argument = begin_ + parameter.offset;
    std::memcpy(argument, args[i], parameter.bytes);
    if (parameter.bytes == sizeof(std::uintptr_t) &&
        (parameter.pointer || is_memory(word_at(argument))))
      block_unreachable(machine, i, argument);
    examine(machine, device, argument, parameter.bytes, false);
  }
}

void KernelArguments::make_room(std::size_t bytes) {
  storage_.resize((bytes + kAlign) / sizeof(std::max_align_t) + 1);
  const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
  begin_ = reinterpret_cast<std::byte*>((address + kAlign - 1) / kAlign * kAlign);
}

void KernelArguments::block_unreachable(Machine& machine, std::size_t index, std::byte* argument) {
  std::uintptr_t word = word_at(argument);
  const AddressInfo place = machine.locate(reinterpret_cast<const void*>(word));
  if (word == 0 || place.kind != MemoryKind::kPageable) return;
  unreachable_ +=
      fmt::format("; argument {} is a pointer to pageable host memory, 0x{:x}", index + 1, word);
  word |= kUnreachable;
  std::memcpy(argument, &word, sizeof(word));
}

void KernelArguments::examine(Machine& machine, int device, std::byte* argument, std::size_t bytes,
                              bool translate) {
  const DeviceMemory& memory = machine.memory();
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= bytes; at += sizeof(std::uintptr_t)) {
    std::uintptr_t word = word_at(argument + at);
    const int owner = memory.device_of(word);
    if (owner >= 0) {
      const bool may = owner == device || machine.device(device).reaches(owner);
      // Host versions reach what is not translated by the view that always traps.
      if (translate)
        word = may ? memory.kernel_view(word) : word;
      else
        word = may ? word : word | kUnreachable;
      std::memcpy(argument + at, &word, sizeof(word));
    } else if (const auto block = machine.host_memory().find(word)) {
      host_ranges_.push_back({block->address, block->address + block->bytes});
    }
  }
}

void report_kernel_fault(Machine& machine, const Kernel& kernel, const grid::Failure& failure,
                         const std::string& explanation) {
  const std::string& what = failure.what;
  const cudaError_t error = what == kTrapped || what == grid::kNobodyComes ? cudaErrorLaunchFailure
                            : what == kTooLong                             ? cudaErrorLaunchTimeout
                            : what == grid::kAssertionFailed ? cudaErrorAssert
                                                             : cudaErrorIllegalAddress;
  const std::string place = kernel.module->place(kernel.name, failure.at);
  say("xfercheck: in {}{}{}: {}{}; every later CUDA call returns {}\n",
      demangle(kernel.name.c_str()), place.empty() ? "" : ", ", place, what, explanation,
      error_text(error).name);
  machine.set_lost(error);
}

}  // namespace xfer::emulator
