// One example of a data set, or a batch of them: what goes in and what should come out.
#pragma once

#include <utility>

#include "tensorlib/tensor.h"

namespace tensorlib::data {

template <class Data = Tensor, class Target = Tensor>
struct Example {
  using DataType = Data;
  using TargetType = Target;

  Example() = default;
  Example(Data data, Target target) : data(std::move(data)), target(std::move(target)) {}

  Data data;
  Target target;
};

namespace example {
struct NoTarget {};
}  // namespace example

// An example without a target.
template <class Data>
struct Example<Data, example::NoTarget> {
  using DataType = Data;
  using TargetType = example::NoTarget;

  Example() = default;
  Example(Data data) : data(std::move(data)) {}
  operator Data&() { return data; }
  operator const Data&() const { return data; }

  Data data;
};
using TensorExample = Example<Tensor, example::NoTarget>;

}  // namespace tensorlib::data
