#pragma once
// The contents that a line of the program sends to a device, as long as these are always the same
// few: a table, say, or the mean and the deviation of images, made and sent anew on every step. The
// host memory that they come from need not be the same.
//
// A line that sends one more content than kMostContents is known not to be such a line for good, as
// is one that sends a content twice without work of the device in between: it fills many buffers
// alike.
//
// Cost: O(1) a copy. Memory: an entry for each line that was ever seen, of a fixed size.

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "detect/transfer.h"

namespace xfer {

class LineContents {
 public:
  /// Keeping so little on a device costs next to nothing.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;

  /// A content that a line sent before.
  struct Content {
    std::uint64_t hash_lo = 0;
    std::uint64_t hash_hi = 0;
    std::uint64_t bytes = 0;
    std::uint64_t newest = 0;  ///< allocation that got it: an older one is reset by it
    Time first = 0;
    Time last = 0;
    unsigned ended = 0;              ///< copies that were used and are gone
    std::vector<TransferPtr> few{};  ///< of them: it may not go on
  };

  /// Notes the upload. `last_launch`: of its device. Gives the content when the line has sent it
  /// before, to older memory, and is such a line still.
  Content* sent(const Transfer& transfer, Time last_launch);
  /// The upload's content; null where its line is no such line any more.
  Content* find(const Transfer& transfer);
  void clear() { lines_.clear(); }

 private:
  static constexpr unsigned kMostContents = 4;
  struct Line {
    std::array<Content, kMostContents> contents;
    unsigned count = 0;
    bool varies = false;
  };
  static std::uint64_t key_of(const Transfer& transfer);
  static Content* find(Line& line, const Transfer& transfer);

  std::unordered_map<std::uint64_t, Line> lines_;
};

}  // namespace xfer
