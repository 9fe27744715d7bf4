#pragma once
// Ranks of a communicator, as a program of NCCL has them, and what their buffers hold.

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "nccl/abi.h"

namespace xfer::test {

/// Ends the process with one line if a call failed.
void check(const char* call, ncclResult_t result);
void check(const char* call, cudaError_t result);

/// One of the ranks that this thread has, on the device of the same number.
struct Rank {
  int rank;
  ncclComm_t comm = nullptr;
  cudaStream_t stream = nullptr;

  /// With a stream of its own.
  explicit Rank(int number);
  void synchronize() const;
};

/// As ncclCommInitRank makes them, in one group.
std::vector<Rank> join(const std::vector<int>& mine, int ranks, const ncclUniqueId& id);

/// call(rank) for each, in one group.
void in_group(std::vector<Rank>& mine, const std::function<ncclResult_t(Rank&)>& call);
void synchronize(const std::vector<Rank>& mine);
void destroy(std::vector<Rank>& mine);

/// Elements of a type on a device.
class Buffer {
 public:
  Buffer(const Rank& rank, ncclDataType_t type, const std::vector<double>& values);
  Buffer(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  void* at(std::size_t element) const;
  /// Whether it holds the values, converted to its type.
  bool holds(const std::vector<double>& values) const;

 private:
  int device_;
  ncclDataType_t type_;
  std::size_t count_;
  void* memory_ = nullptr;
};

/// Code that runs with some ranks: all of them, or one in a thread or process of its own.
using Body = std::function<void(std::vector<Rank>& mine, int ranks)>;

/// Runs it in one of three ways: "thread" (one has all ranks), "threads" or "processes".
void run_ranks(const std::string& way, int ranks, const Body& body);

// The acts.
void collectives(std::vector<Rank>& mine, int ranks);
void sends(std::vector<Rank>& mine, int ranks);
void splits(std::vector<Rank>& mine, int ranks);
void graphs(std::vector<Rank>& mine, int ranks);
void streams(std::vector<Rank>& mine, int ranks);
void misuse();
void differing(const std::string& way);
void dead_peer();
void aborted();
void gone();
void same_device();

}  // namespace xfer::test
