#pragma once
// The processes that the ranks are in: whether one is still there, and what its memory holds.

#include <cstddef>
#include <cstdint>

namespace xfer::emulated_nccl {

/// A number that a process has alone: the system gives its id to another one later.
struct Process {
  std::int32_t id = 0;
  std::uint64_t started = 0;

  bool operator==(const Process&) const = default;
};

Process this_process();

/// False once it has ended, whether or not its parent knows.
bool is_alive(const Process& process);

/// Lets the other processes of this user read this one's memory, where only its parent might.
void let_others_read();

/// Copies from another process's memory. 0, or the errno that says why not.
int read_memory(const Process& process, std::uint64_t address, void* to, std::size_t bytes);

}  // namespace xfer::emulated_nccl
