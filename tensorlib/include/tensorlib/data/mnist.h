// The MNIST data set of handwritten digits, from its four files (not compressed), or any other in
// their format: Fashion-MNIST, or one that a program wrote.
#pragma once

#include <optional>
#include <string>

#include "tensorlib/data/dataset.h"

namespace tensorlib::data::datasets {

class TENSORLIB_API MNIST : public Dataset<MNIST> {
 public:
  enum class Mode { kTrain, kTest };

  // `root` holds {train,t10k}-images-idx3-ubyte and {train,t10k}-labels-idx1-ubyte.
  explicit MNIST(const std::string& root, Mode mode = Mode::kTrain,
                 CallSite site = CallSite::current());

  // An image [1, rows, columns] of float32 in [0, 1], and its label, int64.
  Example<> get(size_t index) override;
  std::optional<size_t> size() const override;
  bool is_train() const noexcept { return mode_ == Mode::kTrain; }
  const Tensor& images() const { return images_; }
  const Tensor& targets() const { return targets_; }

 private:
  Mode mode_;
  Tensor images_, targets_;
};

}  // namespace tensorlib::data::datasets
