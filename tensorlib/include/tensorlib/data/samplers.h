// Samplers: in which order a data loader asks for examples.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tensorlib/macros.h"
#include "tensorlib/scalar_type.h"
#include "tensorlib/tensor.h"

namespace tensorlib::data::samplers {

template <class BatchRequest = std::vector<size_t>>
class Sampler {
 public:
  using BatchRequestType = BatchRequest;

  virtual ~Sampler() = default;
  // From the start, over `new_size` examples where that is given.
  virtual void reset(std::optional<size_t> new_size) = 0;
  // The next examples, at most `batch_size`; nothing at the end.
  virtual std::optional<BatchRequest> next(size_t batch_size) = 0;
};

// 0, 1, 2, ...
class TENSORLIB_API SequentialSampler : public Sampler<> {
 public:
  explicit SequentialSampler(size_t size) : size_(size) {}
  void reset(std::optional<size_t> new_size = std::nullopt) override;
  std::optional<std::vector<size_t>> next(size_t batch_size) override;
  // How many were given.
  size_t index() const noexcept { return index_; }

 private:
  size_t size_;
  size_t index_ = 0;
};

// Every example once, in an order drawn from the generator that manual_seed seeds.
class TENSORLIB_API RandomSampler : public Sampler<> {
 public:
  explicit RandomSampler(int64_t size, Dtype index_dtype = kLong);
  void reset(std::optional<size_t> new_size = std::nullopt) override;
  std::optional<std::vector<size_t>> next(size_t batch_size) override;
  size_t index() const noexcept { return index_; }

 private:
  std::vector<int64_t> order_;
  size_t index_ = 0;
};

// One part of `num_replicas` equal ones, for programs that share the work; the same order in all of
// them for equal seeds and epochs.
class TENSORLIB_API DistributedRandomSampler : public Sampler<> {
 public:
  explicit DistributedRandomSampler(size_t size, size_t num_replicas = 1, size_t rank = 0,
                                    bool allow_duplicates = true);
  void reset(std::optional<size_t> new_size = std::nullopt) override;
  std::optional<std::vector<size_t>> next(size_t batch_size) override;
  void set_epoch(size_t epoch) { epoch_ = epoch; }
  size_t epoch() const { return epoch_; }
  size_t index() const noexcept { return index_; }

 private:
  void fill();

  size_t size_, replicas_, rank_, epoch_ = 0;
  bool allow_duplicates_;
  std::vector<size_t> own_;
  size_t index_ = 0;
};

}  // namespace tensorlib::data::samplers
