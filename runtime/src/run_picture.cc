#include "run_picture.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>

#include "finding_text.h"

namespace xfer {
namespace {

constexpr char kLetters[] = "udckfwm";  // of Doing
constexpr unsigned kSteps = 4;          // of how busy a bucket is

}  // namespace

void RunPicture::add(const Lane& lane, Doing doing, std::uint64_t begin_ns, std::uint64_t end_ns) {
  if (begin_ns == 0 || end_ns < begin_ns) return;
  if (begin_ns_ == 0) begin_ns_ = begin_ns;
  auto found = lanes_.find(lane);
  if (found == lanes_.end()) {
    if (lanes_.size() == kMostLanes) {
      if (left_out_.size() < kMostLanes) left_out_[lane] = true;
      return;
    }
    found = lanes_.emplace(lane, std::vector<Bucket>(kBuckets)).first;
  }
  std::uint64_t from = std::max(begin_ns, begin_ns_) - begin_ns_;
  const std::uint64_t to = std::max(std::max(end_ns, begin_ns_) - begin_ns_, from + 1);
  while ((to - 1) / width_ns_ >= kBuckets) widen();
  while (from < to) {
    const std::uint64_t part = std::min(to - from, width_ns_ - from % width_ns_);
    found->second[from / width_ns_][doing] += part;
    from += part;
  }
}

void RunPicture::widen() {
  width_ns_ *= 2;
  for (auto& [lane, buckets] : lanes_) {
    for (std::size_t i = 0; i < kBuckets; ++i) {
      Bucket sum{};
      for (std::size_t part = 2 * i; part < std::min(2 * i + 2, kBuckets); ++part)
        std::transform(sum.begin(), sum.end(), buckets[part].begin(), sum.begin(), std::plus<>());
      buckets[i] = sum;
    }
  }
}

std::string RunPicture::slices(const std::vector<Bucket>& buckets, std::uint64_t width_ns) {
  struct Look {
    std::size_t doing = 0;
    std::uint64_t steps = 0;
    bool operator==(const Look&) const = default;
  };
  const auto look = [&](const Bucket& bucket) {
    const auto most = std::max_element(bucket.begin(), bucket.end());
    const std::uint64_t busy = std::accumulate(bucket.begin(), bucket.end(), std::uint64_t{0});
    const auto share = static_cast<double>(busy) / static_cast<double>(width_ns) * kSteps;
    return Look{
        static_cast<std::size_t>(std::distance(bucket.begin(), most)),
        busy == 0 ? 0
                  : std::clamp<std::uint64_t>(static_cast<std::uint64_t>(share + 0.5), 1, kSteps)};
  };
  std::string text;
  for (std::size_t i = 0; i < buckets.size();) {
    const Look here = look(buckets[i]);
    std::size_t end = i + 1;
    while (end < buckets.size() && look(buckets[end]) == here) ++end;
    if (here.steps != 0) {
      if (!text.empty()) text += ' ';
      text += kLetters[here.doing] + std::to_string(i) + '+' + std::to_string(end - i) + '@' +
              std::to_string(here.steps * 100 / kSteps);
    }
    i = end;
  }
  return text;
}

nlohmann::ordered_json RunPicture::to_json() const {
  nlohmann::ordered_json lanes = nlohmann::ordered_json::array();
  std::map<std::int32_t, unsigned> streams;  // by device; handles say nothing to anybody
  for (const auto& [lane, buckets] : lanes_) {
    std::string name = "host thread " + std::to_string(lane.id);
    if (lane.device >= 0)
      name = device_name(static_cast<std::int16_t>(lane.device)) +
             (lane.id == 0 ? std::string(" default stream")
                           : " stream " + std::to_string(++streams[lane.device]));
    lanes.push_back({{"name", name}, {"slices", slices(buckets, width_ns_)}});
  }
  nlohmann::ordered_json json{{"bucket_ns", width_ns_}, {"lanes", std::move(lanes)}};
  if (!left_out_.empty()) json["lanes_left_out"] = left_out_.size();
  return json;
}

}  // namespace xfer
