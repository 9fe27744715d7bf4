#pragma once
// alloc-in-loop, in a trace without addresses
//
// Finds: a line that allocates device or pinned memory round after round. A round begins with the
// allocation and ends when as many frees came as allocations since; memory is given back in
// whatever order. Two rounds count as the same when the same copies and fills were made in them, by
// size and way, or without any of these the same kernels (look-alike: the trace has no sizes of
// allocations). Of other rounds, very many that take EngineOptions::least_alloc_percent of the time
// that devices were in use: a pool would do for them.
//
// Does not find: a few rounds whose copies change; those without any work; calls that take less
// than EngineOptions::least_hidden_wait_ns on average; memory that one thread allocates and another
// frees.
//
// Cost: O(1) an event, O(log n) an allocation. Memory: an entry for each buffer that is held, and
// for each line and depth.

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "detect/detector.h"

namespace xfer {

class AllocRounds : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  void see_unplaced(const Event& event) override;
  void forget() override;
  void finish() override;

 private:
  /// A row of numbers, as one that tells parts of it apart.
  struct Digest {
    std::uint64_t value = 0;
    std::uint64_t count = 0;
    void add(std::uint64_t number);
    /// Of what came after `before`.
    std::uint64_t since(const Digest& before) const;
  };
  struct Done {
    Digest transfers, kernels;
  };
  struct Held {
    Event call;
    Done before;
  };
  /// What was done while a buffer was held.
  struct Round {
    std::uint64_t digest = 0;
    std::uint64_t count = 0;
    bool operator==(const Round&) const = default;
  };
  /// What a thread holds, the last at the end.
  struct Thread {
    std::vector<Held> held;
    std::uint64_t last_call_ns = 0;
  };
  Round round_since(const Done& before) const;

  std::map<std::pair<std::uint32_t, bool>, Thread> threads_;  ///< and whether on the host
  /// By thread, line and how many buffers are held.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::size_t>, Round> last_;
  struct Changing {
    Event call;
    Cost cost;
    std::uint32_t freed_at = 0;
  };
  std::map<std::uint32_t, Changing> changing_;  ///< by line: of rounds unlike those before
  Done done_;
};

}  // namespace xfer
