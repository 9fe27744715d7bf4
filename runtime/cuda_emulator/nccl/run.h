#pragma once
// One launch of a rank's operation: it goes on whenever it is asked to, as far as the other ranks
// let it. All with the machine's lock held.

#include <chrono>
#include <optional>

#include "nccl/communicator.h"
#include "xfer/emulator/launch_context.h"

namespace xfer::emulated_nccl {

class Run {
 public:
  explicit Run(CommunicatorPtr communicator);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  virtual ~Run();

  /// Does what can be done, in this run and in those of this process's other ranks, which would
  /// wait for it else. False: it is not over.
  bool go_on(bool patient);

 protected:
  Communicator& its() const { return *communicator_; }
  Meeting& meeting() const { return communicator_->meeting(); }
  /// The next step, if the others have done theirs. False: they have not.
  virtual bool step() = 0;
  /// The first rank that it waits for; nothing: it waits for none.
  virtual std::optional<std::uint32_t> waits_for() const = 0;
  /// There is no further step.
  void finish() { is_over_ = true; }
  /// Copies what a rank offers. False: it cannot be read, and all is over.
  bool copy(std::uint32_t rank, std::uint64_t address, void* to, std::size_t bytes);

 private:
  static void advance_all();
  bool advance();
  void look_for_lost();

  const CommunicatorPtr communicator_;
  bool is_over_ = false;
  std::chrono::steady_clock::time_point last_look_;
};

}  // namespace xfer::emulated_nccl
