#pragma once
// Where the ranks of a communicator meet, in one process or in several: a block of shared memory
// that has no name. The process that made the ncclUniqueId holds it open until all have come, and
// the others find it there; it goes with the last process that maps it, however that ends.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "nccl/call.h"
#include "nccl/process.h"

namespace xfer::emulated_nccl {

inline constexpr std::uint32_t kMostRanks = 1024;
/// How many operations a rank may be ahead of others that it needs nothing from.
inline constexpr std::uint64_t kAhead = 8;
/// Data that goes through the block itself, so that its sender need not wait until it is read: as
/// NCCL's own buffers do.
inline constexpr std::size_t kKeptOfCall = 16 << 10;
inline constexpr std::size_t kKeptOfParcel = 1 << 10;

/// A rank's operation: what it asks for, and where the others find its data.
struct Offer {
  Call call;
  std::uint64_t scale;   ///< of a scaled sum
  std::uint64_t data;    ///< address; 0: it is kept in the block
  std::uint64_t result;  ///< of an all-reduce: where its own share of it comes
};

/// How far a rank is with its operation number n, counted from 0, is 3 n + one of these.
enum Stage : std::uint64_t { kNotYet = 0, kOffered = 1, kReducedShare = 2, kHasRead = 3 };

enum class Presence : std::uint32_t { kAbsent, kComing, kThere, kLeft, kAborted };

/// A rank's part in a split of the communicator.
struct SplitWish {
  std::int32_t color;
  std::int32_t key;
  ncclUniqueId id;  ///< from the first rank of each part
};

struct alignas(64) Member {
  std::atomic<Presence> presence;
  Process process;
  std::uint64_t proof;  ///< an address of the process where `proof_value` is
  std::uint64_t proof_value;
  char device[64];  ///< which one of the machine it uses; empty: nobody knows
  std::atomic<std::uint64_t> progress;
  Offer offers[kAhead];
  std::atomic<std::uint64_t> split_progress;  ///< three stages a split, like `progress`
  SplitWish wish;
  std::byte kept[kAhead][kKeptOfCall];
};

/// Data that one rank sends to another, one parcel after the other.
struct Parcel {
  std::uint64_t bytes;
  std::uint64_t data;  ///< address; 0: it is kept here
  std::byte kept[kKeptOfParcel];
};

struct alignas(64) Channel {
  std::atomic<std::uint64_t> sent;
  std::atomic<std::uint64_t> received;
  Parcel parcels[kAhead];
};

/// Why the communicator is out of use, told by the first rank that knows.
struct Failure {
  std::atomic<std::uint32_t> state;  ///< 0: none; 1: being written; 2: there
  std::int32_t result;
  char text[512];
};

class Meeting {
 public:
  /// False: no memory can be shared; `why` says so.
  static bool make(ncclUniqueId* id, std::string* why);
  /// Null: it cannot be entered.
  static std::shared_ptr<Meeting> enter(const ncclUniqueId& id, std::uint32_t ranks,
                                        ncclResult_t* result, std::string* why);
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;
  ~Meeting();

  std::uint32_t ranks() const { return ranks_; }
  Member& member(std::uint32_t rank) const { return members_[rank]; }
  Channel& channel(std::uint32_t from, std::uint32_t to) const {
    return channels_[std::size_t{from} * ranks_ + to];
  }
  const Failure& failure() const;
  /// All ranks get to know. False: there was a failure before.
  bool fail(ncclResult_t result, const std::string& why);

  /// Takes the rank's place. False: somebody has it.
  bool join(std::uint32_t rank, const char* device);
  bool all_joined() const;
  /// The rank found all others as they should be.
  void settle();
  bool all_settled() const;
  /// No other rank comes: closes the file that was held open for them.
  void close_door() const;

  bool is_here(std::uint32_t rank) const { return member(rank).process == self_; }
  /// Copies from a rank's memory. 0, or an errno.
  int read(std::uint32_t rank, std::uint64_t address, void* to, std::size_t bytes) const;
  /// No rank gets any further through this one: it left, or its process ended. `slow`: looks for
  /// the process, too.
  bool is_lost(std::uint32_t rank, bool slow) const;

  /// To be called after each change that others may wait for.
  void changed() const;
  std::uint32_t changes() const;
  /// Until there is another change than the one that was seen, or the time is over.
  void wait(std::uint32_t seen, std::uint64_t nanoseconds) const;

 private:
  struct Header;
  Meeting(void* block, std::size_t bytes, std::uint32_t ranks);
  static std::size_t bytes_for(std::uint32_t ranks);

  Header* const header_;
  const std::size_t bytes_;
  const std::uint32_t ranks_;
  const Process self_;
  Member* const members_;
  Channel* const channels_;
};

}  // namespace xfer::emulated_nccl
