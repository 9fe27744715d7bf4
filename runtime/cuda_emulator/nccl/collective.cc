#include "nccl/collective.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "cudart/library_kernel.h"
#include "nccl/reduce.h"

namespace xfer::emulated_nccl {
namespace {

struct Range {
  std::uint64_t begin;
  std::uint64_t count;
};

class Collective final : public Run {
 public:
  Collective(CommunicatorPtr communicator, const CollectiveArguments& arguments)
      : Run(std::move(communicator)), arguments_(arguments), call_(arguments.call) {}

  /// Its communicator is there.
  void begin() {
    number_ = its().next_call();
    compared_.resize(ranks());
  }

 private:
  bool step() override {
    if (progress(me()) < at(kOffered)) return offer();
    if (waits_for()) {
      // Offers stay what they are until this rank has read.
      return progress(me()) == at(kOffered) && !compare();
    }
    if (progress(me()) == at(kOffered)) return !compare() || read();
    if (progress(me()) == at(kReducedShare)) return collect_shares();
    finish();
    return true;
  }

  std::optional<std::uint32_t> waits_for() const override {
    if (progress(me()) < at(kOffered)) return first_too_far_behind();
    if (progress(me()) == at(kOffered)) return first_needed();
    if (progress(me()) == at(kReducedShare)) return first_behind(kReducedShare);
    return others_read() ? first_behind(kHasRead) : std::nullopt;
  }

  // Ranks and how far they are.

  std::uint32_t me() const { return its().rank(); }
  std::uint32_t ranks() const { return its().ranks(); }
  std::uint64_t at(Stage stage) const { return 3 * number_ + stage; }
  std::uint64_t progress(std::uint32_t rank) const { return meeting().member(rank).progress; }
  Offer& offer_of(std::uint32_t rank) const {
    return meeting().member(rank).offers[number_ % kAhead];
  }
  void advance_to(Stage stage) {
    meeting().member(me()).progress = at(stage);
    meeting().changed();
  }
  std::optional<std::uint32_t> first_below(std::uint64_t least) const {
    for (std::uint32_t rank = 0; rank < ranks(); ++rank)
      if (rank != me() && progress(rank) < least) return rank;
    return std::nullopt;
  }
  std::optional<std::uint32_t> first_behind(Stage stage) const { return first_below(at(stage)); }
  /// Has not read what the place of this offer held before.
  std::optional<std::uint32_t> first_too_far_behind() const {
    return number_ < kAhead ? std::nullopt : first_below(at(kHasRead) - 3 * kAhead);
  }
  std::optional<std::uint32_t> first_needed() const {
    if (!reads_others()) return std::nullopt;
    if (call_.kind != Kind::kBroadcast && call_.kind != Kind::kScatter)
      return first_behind(kOffered);
    return progress(call_.root) < at(kOffered) ? std::optional(call_.root) : std::nullopt;
  }

  // The properties of the operation.

  bool is_root() const { return me() == call_.root; }
  bool reads_others() const {
    switch (call_.kind) {
      case Kind::kBroadcast:
      case Kind::kScatter: return !is_root();
      case Kind::kReduce:
      case Kind::kGather: return is_root();
      default: return true;
    }
  }
  std::uint64_t own_bytes() const { return call_.sent_bytes(me(), ranks()); }
  bool is_kept() const { return own_bytes() <= kKeptOfCall; }
  /// Others read from this rank's memory, which is the program's again when this is over.
  bool others_read() const { return own_bytes() > 0 && !is_kept(); }
  /// Each rank reduces a share, and then they collect the shares.
  bool is_shared() const { return call_.kind == Kind::kAllReduce && !is_kept(); }
  Range share_of(std::uint32_t rank) const {
    const std::uint64_t begin = call_.count * rank / ranks();
    return {begin, call_.count * (rank + 1) / ranks() - begin};
  }
  std::uint64_t element_bytes() const { return emulated_nccl::its(call_.type).bytes; }
  std::byte* receive(std::uint64_t element) const {
    return static_cast<std::byte*>(arguments_.receive) + element * element_bytes();
  }

  // The steps.

  bool offer() {
    if (progress(me()) != at(kNotYet) || first_too_far_behind()) return false;
    Member& member = meeting().member(me());
    const auto* const send = static_cast<const std::byte*>(arguments_.send);
    own_ = send;
    if (is_kept()) {
      std::byte* const kept = member.kept[number_ % kAhead];
      if (own_bytes() > 0) std::memcpy(kept, send, own_bytes());
    } else if (call_.kind == Kind::kAllToAll && overlaps()) {
      copied_.assign(send, send + own_bytes());
      own_ = copied_.data();
    }
    std::uint64_t scale = 0;
    std::memcpy(&scale, arguments_.scale, sizeof(scale));
    if (arguments_.scale_at != nullptr) std::memcpy(&scale, arguments_.scale_at, element_bytes());
    offer_of(me()) = {call_, scale, is_kept() ? 0 : reinterpret_cast<std::uint64_t>(own_),
                      reinterpret_cast<std::uint64_t>(arguments_.receive)};
    advance_to(kOffered);
    return true;
  }

  bool overlaps() const {
    const auto* const send = static_cast<const std::byte*>(arguments_.send);
    const std::byte* const received = receive(0);
    return send < received + own_bytes() && received < send + own_bytes();
  }

  /// False: a rank does something else.
  bool compare() {
    for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
      if (rank == me() || compared_[rank] || progress(rank) < at(kOffered)) continue;
      compared_[rank] = true;
      const Call other = offer_of(rank).call;
      if (other == call_) continue;
      its().fail(ncclInvalidUsage,
                 fmt::format("ranks differ in what they call: rank {} {}, rank {} {} "
                             "(ncclInvalidUsage)",
                             me(), describe(call_), rank, describe(other)));
      finish();
      return false;
    }
    return true;
  }

  /// A rank's data from this byte on: where it is, or copied to `room`. Null: it cannot be read.
  const std::byte* data_of(std::uint32_t rank, std::uint64_t begin, std::size_t bytes,
                           std::byte* room) {
    if (rank == me() && copied_.empty())
      return static_cast<const std::byte*>(arguments_.send) + begin;
    const Offer& offer = offer_of(rank);
    if (offer.data == 0) return meeting().member(rank).kept[number_ % kAhead] + begin;
    if (meeting().is_here(rank)) return reinterpret_cast<const std::byte*>(offer.data + begin);
    return copy(rank, offer.data + begin, room, bytes) ? room : nullptr;
  }

  bool copy_from(std::uint32_t rank, std::uint64_t begin, std::byte* to, std::size_t bytes) {
    const std::byte* const data = data_of(rank, begin, bytes, to);
    if (data == nullptr) return false;
    if (data != to && bytes > 0) std::memmove(to, data, bytes);
    return true;
  }

  /// The elements of all ranks, reduced.
  bool reduce_to(Range range, std::byte* to) {
    const std::size_t at_once = std::min<std::uint64_t>(kReducedAtOnce, range.count);
    std::vector<std::byte> room(at_once * element_bytes() * ranks());
    std::vector<Part> parts(ranks());
    for (std::uint64_t done = 0; done < range.count; done += at_once) {
      const std::size_t count = std::min<std::uint64_t>(at_once, range.count - done);
      const std::size_t bytes = count * element_bytes();
      for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
        parts[rank] = {data_of(rank, (range.begin + done) * element_bytes(), bytes,
                               room.data() + rank * at_once * element_bytes()),
                       offer_of(rank).scale};
        if (parts[rank].elements == nullptr) return false;
      }
      reduce(call_.type, call_.reduction, parts, count, to + done * element_bytes());
    }
    return true;
  }

  bool read() {
    if (is_shared()) {
      if (reduce_to(share_of(me()), receive(share_of(me()).begin))) advance_to(kReducedShare);
    } else if (take()) {
      advance_to(kHasRead);
    }
    return true;
  }

  /// Reads the data of any operation but an all-reduce in shares. False: it cannot be read.
  bool take() {
    if (!reads_others() && call_.received_bytes(me(), ranks()) == 0) return true;
    const std::uint64_t bytes = call_.bytes();
    switch (call_.kind) {
      case Kind::kAllReduce:
      case Kind::kReduce: return reduce_to({0, call_.count}, receive(0));
      case Kind::kReduceScatter: return reduce_to({me() * call_.count, call_.count}, receive(0));
      case Kind::kBroadcast: return copy_from(call_.root, 0, receive(0), bytes);
      case Kind::kScatter: return copy_from(call_.root, me() * bytes, receive(0), bytes);
      case Kind::kAllGather:
      case Kind::kGather:
        for (std::uint32_t rank = 0; rank < ranks(); ++rank)
          if (!copy_from(rank, 0, receive(rank * call_.count), bytes)) return false;
        return true;
      case Kind::kAllToAll:
        for (std::uint32_t rank = 0; rank < ranks(); ++rank)
          if (!copy_from(rank, me() * bytes, receive(rank * call_.count), bytes)) return false;
        return true;
    }
    return true;
  }

  bool collect_shares() {
    for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
      const Range share = share_of(rank);
      if (rank != me() && !copy(rank, offer_of(rank).result + share.begin * element_bytes(),
                                receive(share.begin), share.count * element_bytes()))
        return true;
    }
    advance_to(kHasRead);
    return true;
  }

  const CollectiveArguments arguments_;
  const Call call_;
  std::uint64_t number_ = 0;
  std::vector<bool> compared_;
  const std::byte* own_ = nullptr;
  std::vector<std::byte> copied_;  ///< what others read, where the receive buffer is over it
};

}  // namespace

const emulator::WaitingKernel kCollective = {
    [](void** args) -> void* {
      const auto arguments = emulator::read_arguments<CollectiveArguments>(args);
      CommunicatorPtr communicator = find_to_run(arguments.communicator);
      if (communicator == nullptr) return nullptr;
      auto run = std::make_unique<Collective>(std::move(communicator), arguments);
      run->begin();
      return run.release();
    },
    [](void* run, bool patient) { return static_cast<Collective*>(run)->go_on(patient); },
    [](void* run) { delete static_cast<Collective*>(run); }};

}  // namespace xfer::emulated_nccl
