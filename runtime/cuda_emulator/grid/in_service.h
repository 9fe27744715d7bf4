#pragma once
// First in each service: who asks, and that the kernel's own code does not run meanwhile.

#include "grid/resident.h"
#include "grid/runner.h"
#include "grid/worker.h"

namespace xfer::emulator::grid {

struct InService {
  /// `caller`: where the service returns to.
  explicit InService(kernels::Thread* thread, const void* caller = __builtin_return_address(0))
      : worker(*static_cast<Worker*>(thread)), runner(*worker.runner) {
    runner.set_in_code(false);
    worker.at = call_before(caller);
  }
  InService(const InService&) = delete;
  InService& operator=(const InService&) = delete;
  ~InService() { runner.set_in_code(true); }

  Resident& block() const { return *worker.home; }
  /// Goes on when all that the key names have come.
  const Meeting& meet(const MeetingKey& key, const void* value, std::size_t bytes) const {
    after(block().meet(worker, key, value, bytes));
    return *worker.meeting;
  }
  template <typename T>
  const Meeting& meet(const MeetingKey& key, const T& value) const {
    return meet(key, &value, sizeof(value));
  }
  const Tally& sync(std::uint32_t id, std::uint32_t count, std::uint32_t predicate) const {
    after(block().sync(worker, id, count, predicate));
    return worker.tally;
  }

  Worker& worker;
  Runner& runner;

 private:
  void after(bool all_there) const {
    if (all_there)
      runner.pass(worker);
    else
      runner.wait(worker);
  }
};

}  // namespace xfer::emulator::grid
