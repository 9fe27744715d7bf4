#pragma once
// needless-sync: by each copy from pinned memory
//
// Finds: uploads of kLeastBytes and more from pinned memory, asked for as asynchronous, each with a
// wait for it as the thread's very next call, kLeastWaits times and more at the same two lines: a
// library's blocking copy from memory that somebody pinned so that the host need not wait. Only the
// report knows whether one call of the program's makes both.
//
// Does not find: what comes from the same memory as the line's copy before, since the program may
// be about to fill it again, unless it is known to be of a loader that pins each batch
// (EngineOptions::pins_anew); waits that come later. Look-alike: whether the host writes there next
// is not known.
//
// Cost: O(log n) an upload. Memory: an entry for each thread, block of pinned memory, and pair of
// lines.

#include <cstdint>
#include <map>
#include <utility>

#include "detect/detector.h"

namespace xfer {

class PinnedWait : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  bool upload(const CopyView& copy) override;
  void forget() override;
  void finish() override;

 private:
  static constexpr std::uint64_t kLeastBytes = std::uint64_t{16} << 10;
  static constexpr std::uint64_t kLeastWaits = 8;

  struct Line {
    Event copy;
    Cost cost;                              ///< of copies from other memory than the one before
    std::map<std::uint32_t, Cost> again{};  ///< of the others, by where their memory was pinned
  };
  void waited(const Event& copy, const Event& sync);
  std::uint32_t pinned_at(std::uint64_t address) const;

  struct Block {
    std::uint64_t end = 0;
    std::uint32_t site = 0;
  };
  std::map<std::uint64_t, Block> pinned_;                          ///< by first byte
  std::map<std::uint32_t, TransferPtr> last_;                      ///< by thread
  std::map<std::pair<std::uint32_t, std::uint32_t>, Line> lines_;  ///< by both lines
};

}  // namespace xfer
