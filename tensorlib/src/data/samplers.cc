#include "tensorlib/data/samplers.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "core/check.h"
#include "tensorlib/factories.h"

namespace tensorlib::data::samplers {

namespace {

// The next of `count` positions from `at` on, at most `most`: a range, empty at the end.
size_t take(size_t& at, size_t count, size_t most) {
  const size_t taken = std::min(most, count - at);
  at += taken;
  return taken;
}

}  // namespace

void SequentialSampler::reset(std::optional<size_t> new_size) {
  size_ = new_size.value_or(size_);
  index_ = 0;
}
std::optional<std::vector<size_t>> SequentialSampler::next(size_t batch_size) {
  const size_t first = index_, count = take(index_, size_, batch_size);
  if (count == 0) return std::nullopt;
  std::vector<size_t> indices(count);
  std::iota(indices.begin(), indices.end(), first);
  return indices;
}

RandomSampler::RandomSampler(int64_t size, Dtype) : order_(static_cast<size_t>(size)) { reset(); }
void RandomSampler::reset(std::optional<size_t> new_size) {
  const Tensor order = randperm(static_cast<int64_t>(new_size.value_or(order_.size())), kCPU);
  const int64_t* first = order.data_ptr<int64_t>();
  order_.assign(first, first + order.numel());
  index_ = 0;
}
std::optional<std::vector<size_t>> RandomSampler::next(size_t batch_size) {
  const size_t first = index_, count = take(index_, order_.size(), batch_size);
  if (count == 0) return std::nullopt;
  const auto from = order_.begin() + static_cast<std::ptrdiff_t>(first);
  return std::vector<size_t>(from, from + static_cast<std::ptrdiff_t>(count));
}

DistributedRandomSampler::DistributedRandomSampler(size_t size, size_t num_replicas, size_t rank,
                                                   bool allow_duplicates)
    : size_(size), replicas_(num_replicas), rank_(rank), allow_duplicates_(allow_duplicates) {
  if (rank >= num_replicas) {
    throw Error(str_cat("DistributedRandomSampler: rank ", rank, " of ", num_replicas,
                        " replicas (0 to ", num_replicas, " - 1 exist)"),
                CallSite::none());
  }
  fill();
}
void DistributedRandomSampler::fill() {
  std::vector<size_t> all(size_);
  std::iota(all.begin(), all.end(), size_t{0});
  std::mt19937 generator(static_cast<uint32_t>(epoch_));
  std::shuffle(all.begin(), all.end(), generator);
  const size_t each = allow_duplicates_ ? (size_ + replicas_ - 1) / replicas_ : size_ / replicas_;
  own_.clear();
  for (size_t i = 0; i < each && size_ > 0; ++i) own_.push_back(all[(rank_ * each + i) % size_]);
  index_ = 0;
}
void DistributedRandomSampler::reset(std::optional<size_t> new_size) {
  size_ = new_size.value_or(size_);
  fill();
}
std::optional<std::vector<size_t>> DistributedRandomSampler::next(size_t batch_size) {
  const size_t first = index_, count = take(index_, own_.size(), batch_size);
  if (count == 0) return std::nullopt;
  const auto from = own_.begin() + static_cast<std::ptrdiff_t>(first);
  return std::vector<size_t>(from, from + static_cast<std::ptrdiff_t>(count));
}

}  // namespace tensorlib::data::samplers
