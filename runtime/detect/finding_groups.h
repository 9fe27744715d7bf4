#pragma once
// Collects what the detectors charge, one group per rule, reason, confidence, call site and device,
// and decides at the end which groups are findings.
//
// Equal content can be chance: a counter that is downloaded, reset and uploaded again is, now and
// then, what it was before. So copies of up to `small_bytes` are findings only when the site never
// sent something new to a place that it had written before, and larger ones only when a tenth of
// the site's copies, or of their bytes, are wasteful; half of them where they are few bytes; four
// of five where not many bytes come from where others did before, as of rewards and of labels, most
// of which are zero: and then they are advice.
//
// Cost: O(1) a charge. Memory: one entry per call site.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "detect/transfer.h"
#include "xfer/engine.h"

namespace xfer {

/// Of several copies, the smallest and the largest: bytes.
struct Sizes {
  std::uint64_t smallest = UINT64_MAX, largest = 0;

  void add(std::uint64_t bytes) {
    smallest = std::min(smallest, bytes);
    largest = std::max(largest, bytes);
  }
};

struct FindingGroup {
  EngineFinding finding;
  std::uint64_t site_key = 0;
  std::uint64_t varying = 0;  ///< of what varies: see Transfer
  bool outside = false;       ///< of EngineOptions::window
  bool unplaced = false;      ///< of memory whose address is not recorded

  /// Of copies that were charged together.
  void add(const Sizes& sizes);
};

class FindingGroups {
 public:
  explicit FindingGroups(const EngineOptions& options) : options_(options) {}

  /// A copy across the border was made. `renews`: the same site sent other content from there
  /// before.
  void count_copy(const Transfer& transfer, bool renews);
  /// The copy changed what the same site had written there before.
  void note_renewal(const Transfer& transfer);

  /// The transfer is waste. Its device time follows, now or when it becomes known.
  FindingGroup* charge(Rule rule, Confidence confidence, Reason reason, Transfer& transfer,
                       std::uint32_t other_site);
  /// The call, which is no copy that others ask about, is waste.
  FindingGroup* charge(Rule rule, Confidence confidence, Reason reason, const Event& call,
                       const Cost& cost, std::uint32_t other_site,
                       EarlyWork early = EarlyWork::kCopy);
  /// The transfer belongs to waste that has been charged already.
  void add_cost(FindingGroup& group, Transfer& transfer);
  void device_time(Transfer& transfer, std::uint64_t device_ns);
  void saving(Transfer& transfer, std::uint64_t saving_ns);

  /// `in_use_ns`: how long devices were in use.
  std::vector<EngineFinding> finish(std::uint64_t in_use_ns);

 private:
  struct Site {
    std::uint64_t copies = 0;  ///< in the window
    std::uint64_t bytes = 0;   ///< of them
    std::uint64_t renewals = 0;
  };
  struct Key {
    std::uint64_t site;
    std::uint32_t ended_at;
    std::uint32_t what;  ///< rule, confidence, reason, early
    std::uint32_t devices;
    bool outside;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  FindingGroup& group_of(Rule rule, Confidence confidence, Reason reason, const Event& event,
                         std::uint32_t other_site, EarlyWork early = EarlyWork::kCopy);
  /// Fewer than a person would act on, or too cheap.
  bool is_rare(const FindingGroup& group) const;
  /// A wait that the program may have made to read a clock, which was not seen.
  bool may_be_timing(const FindingGroup& group, std::uint64_t in_use_ns) const;
  /// Not worth reading of in another tool's trace, which is opened for what costs time.
  bool is_cheap(const FindingGroup& group, std::uint64_t in_use_ns) const;
  bool is_chance(const FindingGroup& group) const;
  /// How many of the site's copies are.
  std::uint64_t sent_elsewhere(std::uint64_t site_key) const;
  /// Data that is equal more often than not.
  bool varies(const FindingGroup& group) const;
  /// A few unused bytes that a line sends along with what is used: a model's counters, say, which
  /// move with its weights; or the last of what it sends ahead of its use. True, and nothing that a
  /// person would act on.
  bool rides_along(const FindingGroup& group) const;

  void join_constants();
  void join_bursts();
  void join_elements();
  void join_uploads();

  EngineOptions options_;
  std::deque<FindingGroup> groups_;  // stable addresses
  std::unordered_map<Key, FindingGroup*, KeyHash> by_key_;
  std::unordered_map<std::uint64_t, Site> sites_;
};

}  // namespace xfer
