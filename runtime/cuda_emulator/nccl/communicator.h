#pragma once
// A rank of a communicator: what an ncclComm_t stands for.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nccl/meeting.h"

namespace xfer::emulated_nccl {

/// A reduction that ncclRedOpCreatePreMulSum made.
struct ScaledSum {
  ncclDataType_t type;
  std::uint64_t scale;             ///< an element
  const void* scale_at = nullptr;  ///< on the device, instead: read when the operation runs
};

class Communicator {
 public:
  Communicator(std::shared_ptr<Meeting> meeting, std::uint32_t rank, int device);
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator();

  Meeting& meeting() const { return *meeting_; }
  Member& me() const { return meeting_->member(rank_); }
  std::uint32_t rank() const { return rank_; }
  std::uint32_t ranks() const { return meeting_->ranks(); }
  int device() const { return device_; }
  /// Of this process, never given twice.
  std::uint64_t number() const { return number_; }

  /// Nothing works any more, here and for the other ranks. Says so if nobody has yet.
  void fail(ncclResult_t result, const std::string& why);
  /// ncclSuccess, or why nothing works any more.
  ncclResult_t error() const;
  void abort();
  bool is_aborted() const { return aborted_; }
  /// The program is through with it.
  void leave() { set_presence(Presence::kLeft); }

  ncclRedOp_t add(const ScaledSum& sum);
  bool remove(ncclRedOp_t op);
  std::optional<ScaledSum> find(ncclRedOp_t op) const;

  /// The number of the operation that runs now or next. With the machine's lock held.
  std::uint64_t next_call() { return calls_++; }

  /// The stream that the last operation went into.
  std::optional<cudaStream_t> stream;
  std::uint64_t splits = 0;  ///< of this rank

 private:
  void set_presence(Presence presence);

  const std::shared_ptr<Meeting> meeting_;
  const std::uint32_t rank_;
  const int device_;
  const std::uint64_t number_;
  std::atomic<bool> aborted_{false};
  std::uint64_t calls_ = 0;
  mutable std::mutex mutex_;
  std::vector<std::optional<ScaledSum>> sums_;
};

using CommunicatorPtr = std::shared_ptr<Communicator>;

/// The handle for programs.
ncclComm_t publish(CommunicatorPtr communicator);
/// Null: it stands for none.
CommunicatorPtr find(ncclComm_t handle);
/// For an operation whose turn has come. Null: the program is through with the communicator; where
/// it did not abort it, that is said.
CommunicatorPtr find_to_run(std::uint64_t number);
/// The handle stands for nothing from here on.
CommunicatorPtr take(ncclComm_t handle);

/// For ncclGetLastError: of the process, as NCCL's is.
void set_last_error(const std::string& text);
const char* last_error();

}  // namespace xfer::emulated_nccl
