#pragma once
// small-copies, of what lies anywhere
//
// Finds: a line that sends least_in_a_row and more small pieces (EngineOptions) one after the other
// to places of their own, with no kernel, no fill and no download in between, in kLeastBursts such
// bursts: the samples of a batch. The host has all of them before the device does anything, so it
// could put them together and send them at once. Or once, where they are many (kManyRows), of one
// size, and most of them touch or overlap another in the host's memory: rows of one tensor.
//
// Does not find: the fields of a structure, whose sizes differ among themselves and are the same in
// every burst; what a line sends that waits for a result in between. Look-alike: what the pieces
// are, and whether they are needed apart, is not known.
//
// Cost: O(log n) an upload. Memory: an entry for each thread and line that sends; kMostRows
// addresses for each of them.

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "detect/detector.h"

namespace xfer {

class UploadBursts : public Detector {
 public:
  using Detector::Detector;

  void see(const Event& event) override;
  void forget() override { open_.clear(); }
  void finish() override;

 private:
  static constexpr unsigned kLeastBursts = 3;
  static constexpr std::uint64_t kManyRows = 64;
  static constexpr std::size_t kMostRows = 4096;

  struct Burst {
    Event last;
    Cost cost;
    std::uint64_t smallest = 0;
    std::uint64_t largest = 0;
    std::uint64_t sizes = 0;  ///< hash of their sequence
    std::uint64_t touching = 0;
    std::set<std::uint64_t> sources;
    std::set<std::uint64_t> places;
  };
  struct Line {
    Event last;
    Cost cost;
    unsigned bursts = 0;
    std::uint64_t smallest = 0;
    std::uint64_t largest = 0;
    std::uint64_t sizes = 0;  ///< of the first burst
    bool fields = true;       ///< sizes differ in a burst, and all bursts have the same ones
    bool rows = false;        ///< there was a burst of many rows
  };
  void upload(const Event& event);
  void end(const Burst& burst);
  void end_all();

  std::map<std::pair<std::uint32_t, std::uint32_t>, Burst> open_;  ///< by thread and line
  std::map<std::pair<std::uint32_t, std::int16_t>, Line> lines_;   ///< by line and device
};

}  // namespace xfer
