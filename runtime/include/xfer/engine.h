#pragma once
// The engine: events in, findings out. Pure: no I/O, no clock, no threads; the same events give the
// same findings. Events are added in the order in which the calls were made.
//
// Cost: well under 1 us an event, time linear in the events, memory bounded by what is live on the
// devices plus a fixed number of remembered transfers. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "xfer/event.h"
#include "xfer/reason.h"
#include "xfer/rules/finding.h"
#include "xfer/window.h"

namespace xfer {

struct EngineOptions {
  std::size_t max_remembered = std::size_t{1}
                               << 16;  ///< transfers remembered after their buffer went
  std::uint64_t small_bytes = 64;  ///< up to here equal content may be chance: see FindingGroups
  unsigned least_percent = 10;     ///< of a site's copies that must be wasteful by their content
  std::uint64_t few_bytes = 4096;  ///< below, what is freed and sent again repeats by chance now
                                   ///< and then: half of a line's copies must, and more than one
  std::uint64_t many_bytes = 64 << 10;    ///< above, data that varies is not equal by chance
  unsigned least_small_again = 4;         ///< times that up to small_bytes are downloaded again
  std::uint64_t staged_bytes = 64 << 10;  ///< up to here an asynchronous upload of pageable memory
                                          ///< does not make the host wait
  std::uint64_t small_copy_bytes = 16 << 10;  ///< up to here a copy costs what its call costs
  unsigned least_in_a_row = 8;                ///< of small copies
  unsigned least_reallocated = 3;  ///< times that a line's memory is freed and made again
  std::uint64_t least_hidden_wait_ns = 10'000;  ///< of a call that is not there to wait, on average
  unsigned least_read_back = 12;                ///< times that a line reads a few bytes back
  unsigned least_drains = 6;  ///< the same, where the device then idles for least_drained_percent
                              ///< of the time in use
  unsigned least_drained_percent = 5;
  unsigned least_index_back = 16;  ///< the same, of what may be an index
  unsigned least_sent_again = 3;   ///< times that the same content goes to other memory
  std::uint64_t least_sent_again_bytes = 4096;  ///< each time
  unsigned most_sent_between = 16;              ///< times its own bytes, of other content
  unsigned least_constant = 4;                  ///< times that a line's few bytes are sent again,
                                                ///< twice as often where chance may play a part
  unsigned least_leaked = 4;                    ///< of a line's allocations, with work in between
  std::uint64_t least_exposed_ns = 20'000;      ///< of a copy, while the device does nothing else
  unsigned least_exposed_percent = 1;           ///< of the time that the line's copies span
  unsigned least_slow_percent = 1;              ///< of the run, that a line's slow copies lose
  unsigned least_alloc_percent = 2;     ///< of the time in use, of unlike rounds' allocations
  unsigned least_trim_percent = 1;      ///< of the time in use, that a pool's slow allocations take
  unsigned least_pageable_percent = 5;  ///< of the time that the line's copies span
  bool times_are_measured = true;       ///< on devices; those of emulated ones are a model's
  bool by_xfertrace = true;             ///< recorded, with contents, addresses, and reads of clocks
  unsigned least_unclocked_percent = 1;  ///< of the time in use, that needless waits of a line take
                                         ///< where it does not: they may be there for one
  // What a finding in another tool's trace must cost, to be told: this much, and either this share
  // of the time that devices were in use, or as much as is always worth it.
  std::uint64_t least_worth_ns = 300'000;
  unsigned least_worth_permille = 5;
  std::uint64_t surely_worth_ns = 10'000'000;
  unsigned least_unplaced_frees = 5;  ///< that wait, of memory whose address is not
                                      ///< recorded: libraries free some as they start
  /// Whether two call sites are one statement of the program. Empty: that is not known.
  std::function<bool(std::uint32_t site, std::uint32_t other)> same_statement;
  /// Whether the program comes to both by the same calls of its own. Empty: that is not known.
  std::function<bool(std::uint32_t site, std::uint32_t other)> same_path;
  /// Whether the kernel of this name chooses: its result is an index that the host may act on.
  /// Empty: that is not known.
  std::function<bool(std::uint32_t name)> is_choice;
  /// Whether the call stack is of a loader that pins each batch: what it allocated serves for one
  /// batch after the other. Empty: that is not known.
  std::function<bool(std::uint32_t site)> pins_anew;
  /// The name that a scope shares with the others of its place. Empty: each number is a name.
  std::function<std::string(std::uint32_t name)> step_name;
  Window window;  ///< only wasteful calls in it are told of; all others are known all the same
};

/// The work that uses memory which is touched too early.
enum class EarlyWork : std::uint8_t { kCopy, kFill, kKernel };  // or a graph

/// One kind of waste at one call site.
struct EngineFinding {
  Rule rule{};
  Confidence confidence{};
  Reason reason{};
  std::int16_t device = 0;  ///< the destination of the wasteful copies (-1: the host)
  std::int16_t source_device = -1;
  std::uint32_t site = 0;        ///< of the wasteful copies
  std::uint32_t other_site = 0;  ///< the earlier copy; of an unused one, what ended it; of
                                 ///< memory, its allocation or free (0: nothing)
  Cost cost;                     ///< with an estimate of what the program would win: see MovedWaits
  StepShare step;                ///< of copies whose times are judged
  std::uint64_t smallest_bytes = 0;  ///< of one copy
  std::uint64_t largest_bytes = 0;
  std::uint64_t copies_at_site = 0;    ///< all of them, wasteful or not
  bool renews = false;                 ///< the line sent other content from the same place, too
  std::uint64_t first_ns = 0;          ///< host clock, when first seen
  EarlyWork early = EarlyWork::kCopy;  ///< of what is touched too early
  std::vector<std::uint32_t> buffers;  ///< names of some that were copied to or from, by the trace
};

/// The sum of both, at the place of `sum`.
void add(EngineFinding& sum, const EngineFinding& found);

/// How the program ended.
enum class Ending : std::uint8_t {
  kBrokenOff,  ///< or the trace did: nothing is concluded from what did not happen any more
  kFailed,     ///< by itself, with an exit code other than 0, or one that is not known
  kSucceeded,
};

class Engine {
 public:
  explicit Engine(const EngineOptions& options = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void add(const Event& event);

  /// Ends the trace. Most host time first. Call once.
  std::vector<EngineFinding> finish(Ending ending = Ending::kSucceeded);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace xfer
