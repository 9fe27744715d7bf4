#pragma once
// Has a CPU kernel compute where its results belong, without a copy: while it runs, PyTorch's
// allocator for the CPU hands out a result's place where the kernel asks for as many bytes.

#include <ATen/core/Tensor.h>

#include <vector>

namespace xfer::emulated_torch {

/// Of a result, on the host.
struct HostResult {
  at::Tensor tensor;      ///< undefined: the result is an argument, which has its place
  bool is_alone = false;  ///< in memory that no argument uses
};

class ResultMemory {
 public:
  /// From here on this thread's allocations may get the places; one of them at a time.
  explicit ResultMemory(const std::vector<HostResult>& places);
  ~ResultMemory() { close(); }
  ResultMemory(const ResultMemory&) = delete;
  ResultMemory& operator=(const ResultMemory&) = delete;

  /// No allocation gets one any more.
  void close();
  /// It lies in memory that was handed out.
  bool holds(const at::Tensor& result) const;
  /// Null: none is of this size, or free.
  void* take(std::size_t bytes);

 private:
  struct Range {
    void* data;
    std::size_t bytes;
    bool is_taken;
  };
  std::vector<Range> ranges_;
  ResultMemory* before_;
  bool is_open_ = true;
};

/// Once for the process, before the first kernel.
void install_result_memory();

}  // namespace xfer::emulated_torch
