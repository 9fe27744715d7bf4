// Transforms: what map() does to the examples or batches of a data set.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "tensorlib/data/example.h"
#include "tensorlib/factories.h"
#include "tensorlib/ops.h"

namespace tensorlib::data::transforms {

// Of a batch into another.
template <class InputBatch, class OutputBatch>
class BatchTransform {
 public:
  using InputBatchType = InputBatch;
  using OutputBatchType = OutputBatch;

  virtual ~BatchTransform() = default;
  virtual OutputBatch apply_batch(InputBatch batch) = 0;
};

// Of each example.
template <class Input, class Output>
class Transform : public BatchTransform<std::vector<Input>, std::vector<Output>> {
 public:
  using InputType = Input;
  using OutputType = Output;

  virtual Output apply(Input input) = 0;
  std::vector<Output> apply_batch(std::vector<Input> batch) override {
    std::vector<Output> result;
    result.reserve(batch.size());
    for (Input& input : batch) result.push_back(apply(std::move(input)));
    return result;
  }
};

// A function as a transform, of examples and of batches.
template <class Input, class Output = Input>
class Lambda : public Transform<Input, Output> {
 public:
  using FunctionType = std::function<Output(Input)>;
  explicit Lambda(FunctionType function) : function_(std::move(function)) {}
  Output apply(Input input) override { return function_(std::move(input)); }

 private:
  FunctionType function_;
};

template <class Input, class Output = Input>
class BatchLambda : public BatchTransform<Input, Output> {
 public:
  using FunctionType = std::function<Output(Input)>;
  explicit BatchLambda(FunctionType function) : function_(std::move(function)) {}
  Output apply_batch(Input batch) override { return function_(std::move(batch)); }

 private:
  FunctionType function_;
};

// Of each example's data, which is a tensor.
template <class Target = Tensor>
class TensorTransform : public Transform<Example<Tensor, Target>, Example<Tensor, Target>> {
 public:
  virtual Tensor operator()(Tensor input) = 0;
  Example<Tensor, Target> apply(Example<Tensor, Target> example) override {
    example.data = (*this)(std::move(example.data));
    return example;
  }
};

template <class Target = Tensor>
class TensorLambda : public TensorTransform<Target> {
 public:
  using FunctionType = std::function<Tensor(Tensor)>;
  explicit TensorLambda(FunctionType function) : function_(std::move(function)) {}
  Tensor operator()(Tensor input) override { return function_(std::move(input)); }

 private:
  FunctionType function_;
};

// (x - mean) / stddev of images [C, H, W]; one number for all channels, or one for each.
template <class Target = Tensor>
class Normalize : public TensorTransform<Target> {
 public:
  Normalize(ArrayRef<double> mean, ArrayRef<double> stddev)
      : mean(channel_numbers(mean)), stddev(channel_numbers(stddev)) {}
  Tensor operator()(Tensor input) override { return input.sub(mean).div_(stddev); }

  Tensor mean, stddev;

 private:
  static Tensor channel_numbers(ArrayRef<double> numbers) {
    return tensorlib::tensor(numbers, TensorOptions(kCPU).dtype(kFloat)).view({-1, 1, 1});
  }
};

// Examples into one.
template <class Batch, class SingleExample>
using Collation = BatchTransform<std::vector<SingleExample>, Batch>;
template <class Batch, class SingleExample>
using Collate = BatchLambda<std::vector<SingleExample>, Batch>;

// The examples' tensors on top of each other. Errors about a batch name the line that made the
// Stack.
template <class SingleExample = Example<>>
struct Stack;

template <>
struct Stack<Example<>> : public Collation<Example<>, Example<>> {
  Stack(CallSite line = CallSite::current()) : site(line) {}
  CallSite site;
  Example<> apply_batch(std::vector<Example<>> examples) override {
    std::vector<Tensor> data, targets;
    data.reserve(examples.size());
    targets.reserve(examples.size());
    for (Example<>& example : examples) {
      data.push_back(std::move(example.data));
      targets.push_back(std::move(example.target));
    }
    return {tensorlib::stack(data, 0, site), tensorlib::stack(targets, 0, site)};
  }
};

template <>
struct Stack<TensorExample> : public Collation<TensorExample, TensorExample> {
  Stack(CallSite line = CallSite::current()) : site(line) {}
  CallSite site;
  TensorExample apply_batch(std::vector<TensorExample> examples) override {
    std::vector<Tensor> data;
    data.reserve(examples.size());
    for (TensorExample& example : examples) data.push_back(std::move(example.data));
    return tensorlib::stack(data, 0, site);
  }
};

}  // namespace tensorlib::data::transforms
