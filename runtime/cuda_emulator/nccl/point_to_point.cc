#include "nccl/point_to_point.h"

#include <fmt/format.h>

#include <cstring>
#include <vector>

namespace xfer::emulated_nccl {
namespace {

class PointToPoint final : public Run {
 public:
  PointToPoint(CommunicatorPtr communicator, std::span<const Piece> pieces)
      : Run(std::move(communicator)) {
    for (const Piece& piece : pieces) pieces_.push_back({piece, false, false, 0});
  }

 private:
  struct State {
    Piece piece;
    bool is_out;  ///< of a send: the peer may take it
    bool is_over;
    std::uint64_t number;  ///< of a send: which of those in its channel
  };

  bool step() override {
    bool moved = false;
    bool all_over = true;
    std::vector<bool> blocked(2 * std::size_t{its().ranks()});
    for (State& state : pieces_) {
      if (state.is_over) continue;
      // A piece stays behind earlier ones of the same peer and direction.
      const std::size_t direction = 2 * std::size_t{state.piece.peer} + state.piece.is_send;
      if (!blocked[direction] || state.is_out) {
        moved |= state.piece.is_send != 0 ? send(state) : receive(state);
        if (failed_) return true;
      }
      if (state.is_over) continue;
      all_over = false;
      if (!state.is_out) blocked[direction] = true;
    }
    if (all_over) finish();
    return moved || all_over;
  }

  std::optional<std::uint32_t> waits_for() const override {
    // One in another process if there is one: others go on when this one does not wait.
    std::optional<std::uint32_t> found;
    for (const State& state : pieces_)
      if (!state.is_over && state.piece.peer != its().rank() &&
          (!found || meeting().is_here(*found)))
        found = state.piece.peer;
    return found;
  }

  bool send(State& state) {
    Channel& channel = meeting().channel(its().rank(), state.piece.peer);
    if (!state.is_out) {
      const std::uint64_t number = channel.sent;
      if (number - channel.received >= kAhead) return false;
      Parcel& parcel = channel.parcels[number % kAhead];
      const bool is_kept = state.piece.bytes <= kKeptOfParcel;
      if (is_kept && state.piece.bytes > 0)
        std::memcpy(parcel.kept, state.piece.buffer, state.piece.bytes);
      parcel.bytes = state.piece.bytes;
      parcel.data = is_kept ? 0 : reinterpret_cast<std::uint64_t>(state.piece.buffer);
      state.number = number;
      state.is_out = true;
      state.is_over = is_kept;
      channel.sent = number + 1;
      meeting().changed();
      return true;
    }
    state.is_over = channel.received > state.number;
    return state.is_over;
  }

  bool receive(State& state) {
    Channel& channel = meeting().channel(state.piece.peer, its().rank());
    const std::uint64_t number = channel.received;
    if (channel.sent == number) return false;
    const Parcel& parcel = channel.parcels[number % kAhead];
    if (parcel.bytes != state.piece.bytes) {
      its().fail(ncclInvalidUsage,
                 fmt::format("rank {} receives {} bytes from rank {}, which sends {} "
                             "(ncclInvalidUsage)",
                             its().rank(), state.piece.bytes, state.piece.peer, parcel.bytes));
      return give_up();
    }
    if (parcel.data == 0) {
      if (parcel.bytes > 0) std::memcpy(state.piece.buffer, parcel.kept, parcel.bytes);
    } else if (!copy(state.piece.peer, parcel.data, state.piece.buffer, parcel.bytes)) {
      return give_up();
    }
    state.is_over = true;
    channel.received = number + 1;
    meeting().changed();
    return true;
  }

  bool give_up() {
    failed_ = true;
    finish();
    return true;
  }

  std::vector<State> pieces_;
  bool failed_ = false;
};

}  // namespace

std::size_t storage_for(std::size_t pieces) {
  std::size_t bytes = 4096;
  while (bytes < sizeof(PiecesHeader) + pieces * sizeof(Piece)) bytes *= 4;
  return bytes;
}

const emulator::WaitingKernel kPointToPoint = {
    [](void** args) -> void* {
      PiecesHeader header;
      const auto* const storage = static_cast<const std::byte*>(args[0]);
      std::memcpy(&header, storage, sizeof(header));
      CommunicatorPtr communicator = find_to_run(header.communicator);
      if (communicator == nullptr) return nullptr;
      std::vector<Piece> pieces(header.count);
      std::memcpy(pieces.data(), storage + sizeof(header), header.count * sizeof(Piece));
      return new PointToPoint(std::move(communicator), pieces);
    },
    [](void* run, bool patient) { return static_cast<PointToPoint*>(run)->go_on(patient); },
    [](void* run) { delete static_cast<PointToPoint*>(run); }};

}  // namespace xfer::emulated_nccl
