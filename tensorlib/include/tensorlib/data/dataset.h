// Data sets: where examples come from.
//
// A data set derives from Dataset<Itself> and says get(index) and size(); one that reads whole
// batches derives from BatchDataset. map() puts a transform behind it. Each worker of a data loader
// has a copy of the data set, so get() needs no locks for what the copy owns.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "tensorlib/array_ref.h"
#include "tensorlib/data/example.h"
#include "tensorlib/ops.h"

namespace tensorlib::data::datasets {

template <class Source, class Transform>
class MapDataset;

template <class Self, class Batch, class BatchRequest = ArrayRef<size_t>>
class BatchDataset {
 public:
  using SelfType = Self;
  using BatchType = Batch;
  using BatchRequestType = BatchRequest;
  static constexpr bool is_stateful = false;

  virtual ~BatchDataset() = default;
  virtual Batch get_batch(BatchRequest request) = 0;
  // How many examples there are; nothing where that is not known.
  virtual std::optional<size_t> size() const = 0;

  template <class Transform>
  MapDataset<Self, Transform> map(Transform transform) & {
    return {static_cast<Self&>(*this), std::move(transform)};
  }
  template <class Transform>
  MapDataset<Self, Transform> map(Transform transform) && {
    return {std::move(static_cast<Self&>(*this)), std::move(transform)};
  }
};

template <class Self, class SingleExample = Example<>>
class Dataset : public BatchDataset<Self, std::vector<SingleExample>> {
 public:
  using ExampleType = SingleExample;

  virtual ExampleType get(size_t index) = 0;
  std::vector<ExampleType> get_batch(ArrayRef<size_t> indices) override {
    std::vector<ExampleType> batch;
    batch.reserve(indices.size());
    for (const size_t index : indices) batch.push_back(get(index));
    return batch;
  }
};

// A data set and a transform of its batches.
template <class Source, class Transform>
class MapDataset
    : public BatchDataset<MapDataset<Source, Transform>, typename Transform::OutputBatchType,
                          typename Source::BatchRequestType> {
 public:
  using DatasetType = Source;
  using TransformType = Transform;

  MapDataset(Source dataset, Transform transform)
      : dataset_(std::move(dataset)), transform_(std::move(transform)) {}

  typename Transform::OutputBatchType get_batch(
      typename Source::BatchRequestType request) override {
    return transform_.apply_batch(dataset_.get_batch(std::move(request)));
  }
  std::optional<size_t> size() const noexcept override { return dataset_.size(); }
  const Source& dataset() const noexcept { return dataset_; }
  const Transform& transform() const noexcept { return transform_; }

 private:
  Source dataset_;
  Transform transform_;
};

template <class Source, class Transform>
MapDataset<Source, Transform> map(Source dataset, Transform transform) {
  return {std::move(dataset), std::move(transform)};
}

// The rows of a tensor.
class TensorDataset : public Dataset<TensorDataset, TensorExample> {
 public:
  explicit TensorDataset(const std::vector<Tensor>& tensors)
      : TensorDataset(tensorlib::stack(tensors)) {}
  explicit TensorDataset(Tensor tensor) : tensor(std::move(tensor)) {}
  TensorExample get(size_t index) override { return tensor[index]; }
  std::optional<size_t> size() const override { return static_cast<size_t>(tensor.size(0)); }

  Tensor tensor;
};

}  // namespace tensorlib::data::datasets
