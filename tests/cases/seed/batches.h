#pragma once
// 1000 examples of 64 numbers, and a loader of batches of 32.

#include <optional>
#include <utility>

#include "seed.h"

#ifdef XFER_CASES_TORCH
using OptionalSize = torch::optional<size_t>;
#else
using OptionalSize = std::optional<size_t>;
#endif

struct Examples : torch::data::datasets::Dataset<Examples> {
  torch::data::Example<> get(size_t index) override {
    return {torch::full({64}, static_cast<double>(index % 7)),
            torch::full({}, static_cast<int>(index))};
  }
  OptionalSize size() const override { return 1000; }
};

// Pinned, where the library's loader can; LibTorch's in C++ cannot.
inline torch::data::DataLoaderOptions pinned_batches() {
  torch::data::DataLoaderOptions options(32);
  options.workers(2);
#ifndef XFER_CASES_TORCH
  options.pin_memory(true);
#endif
  return options;
}
