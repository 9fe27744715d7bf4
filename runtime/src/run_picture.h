#pragma once
// A run as a picture of fixed size: what each host thread and each stream was busy with, in some
// hundred equal spans of time. Page-sized, whatever the length of the run; the timeline for
// Perfetto is the one that has every call.
//
// Cost: O(1) an event, and memory for kMostLanes lanes.

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

namespace xfer {

class RunPicture {
 public:
  enum Doing : std::uint8_t { kUpload, kDownload, kCopy, kKernel, kFill, kWait, kMemory, kDoings };
  struct Lane {
    std::int32_t device = -1;  ///< -1: a host thread
    std::uint64_t id = 0;      ///< the stream, or the thread
    auto operator<=>(const Lane&) const = default;
  };

  void add(const Lane& lane, Doing doing, std::uint64_t begin_ns, std::uint64_t end_ns);
  std::uint64_t begin_ns() const { return begin_ns_; }

  /// {"bucket_ns", "lanes": [{"name", "slices"}], "lanes_left_out"}; a slice is what it was mostly
  /// busy with, first bucket, buckets, percent: "u0+3@50 k3+12@100".
  nlohmann::ordered_json to_json() const;

 private:
  static constexpr std::size_t kBuckets = 512;
  static constexpr std::size_t kMostLanes = 24;
  using Bucket = std::array<std::uint64_t, kDoings>;

  void widen();
  static std::string slices(const std::vector<Bucket>& buckets, std::uint64_t width_ns);

  std::map<Lane, std::vector<Bucket>> lanes_;
  std::map<Lane, bool> left_out_;
  std::uint64_t begin_ns_ = 0;
  std::uint64_t width_ns_ = 1000;  // of a bucket
};

}  // namespace xfer
