// The data loader: batches of a data set, made ahead of time by worker threads, in the sampler's
// order whatever thread is faster.
//
//   auto loader = torch::data::make_data_loader(std::move(dataset),
//       torch::data::DataLoaderOptions().batch_size(64).workers(2));
//   for (auto& batch : *loader) { ... }
//
// Thread-safety: a loader is one thread's; each worker has a copy of the data set.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "tensorlib/cuda_stream.h"
#include "tensorlib/data/example.h"
#include "tensorlib/data/samplers.h"
#include "tensorlib/data/workers.h"
#include "tensorlib/grad_mode.h"
#include "tensorlib/nn/options.h"
#include "tensorlib/tensor.h"

namespace tensorlib::data {

struct DataLoaderOptions {
  DataLoaderOptions() = default;
  DataLoaderOptions(size_t batch_size) : batch_size_(batch_size) {}
  TENSORLIB_OPTION(size_t, batch_size) = 1;
  // 0: batches are made when they are asked for, by the asking thread.
  TENSORLIB_OPTION(size_t, workers) = 0;
  // How many batches are made ahead; by default two for each worker.
  TENSORLIB_OPTION(std::optional<size_t>, max_jobs);
  TENSORLIB_OPTION(std::optional<std::chrono::milliseconds>, timeout);
  // Otherwise batches come as they are ready.
  TENSORLIB_OPTION(bool, enforce_ordering) = true;
  TENSORLIB_OPTION(bool, drop_last) = false;
  // Not in LibTorch: batches in page-locked memory, from which a GPU can copy without waiting.
  TENSORLIB_OPTION(bool, pin_memory) = false;

 public:
  // Not in LibTorch: batches that are on this device. A thread of the loader's copies the next ones
  // there, out of page-locked memory and in a stream of their own, while the program computes on
  // the batch it has; the program's stream waits for a batch's copies, the host does not. `site` is
  // the line that the ledger gives these transfers.
  DataLoaderOptions& device(Device device, CallSite site = CallSite::current()) {
    device_ = device;
    device_site_ = site;
    return *this;
  }
  std::optional<Device> device() const { return device_; }
  CallSite device_site() const { return device_site_; }

 private:
  std::optional<Device> device_;
  CallSite device_site_ = CallSite::none();
};

// Calls f with each tensor of a batch, for the loader to pin and to move it.
template <class F>
void for_each_tensor(Tensor& tensor, const F& f) {
  f(tensor);
}
template <class Data, class Target, class F>
void for_each_tensor(Example<Data, Target>& example, const F& f) {
  for_each_tensor(example.data, f);
  if constexpr (!std::is_same_v<Target, example::NoTarget>) for_each_tensor(example.target, f);
}
template <class T, class F>
void for_each_tensor(std::vector<T>& values, const F& f) {
  for (T& value : values) for_each_tensor(value, f);
}

template <class Dataset, class Sampler>
class StatelessDataLoader {
 public:
  using BatchType = typename Dataset::BatchType;

  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = BatchType;
    using pointer = BatchType*;
    using reference = BatchType&;
    using iterator_category = std::input_iterator_tag;

    Iterator() = default;
    explicit Iterator(StatelessDataLoader* loader) : loader_(loader) { ++*this; }
    BatchType& operator*() const { return *loader_->batch_; }
    BatchType* operator->() const { return &*loader_->batch_; }
    Iterator& operator++() {
      if (!loader_->advance()) loader_ = nullptr;
      return *this;
    }
    // Equal at the end.
    bool operator==(const Iterator& other) const { return loader_ == other.loader_; }
    bool operator!=(const Iterator& other) const { return loader_ != other.loader_; }

   private:
    StatelessDataLoader* loader_ = nullptr;
  };

  StatelessDataLoader(Dataset dataset, Sampler sampler, DataLoaderOptions options)
      : options_(std::move(options)), sampler_(std::move(sampler)) {
    if (options_.batch_size() == 0) {
      throw std::invalid_argument("DataLoader: batch_size is 0");
    }
    const size_t copies = std::max<size_t>(1, options_.workers());
    for (size_t i = 1; i < copies; ++i) datasets_.push_back(dataset);
    datasets_.push_back(std::move(dataset));
    if (options_.workers() > 0) {
      workers_ = std::make_unique<detail::Workers>(
          options_.workers(), [this](size_t worker, std::vector<size_t> request) {
            return std::make_shared<Job>(Job{make(worker, std::move(request)), {}});
          });
    }
    if (options_.device() && options_.device()->is_cuda()) {
      stream_ = cuda::getStreamFromPool(false, options_.device()->index(), options_.device_site());
      target_ = stream_->device();
      mover_ = std::make_unique<detail::Workers>(
          1, [this](size_t, std::vector<size_t> request) { return move_next(std::move(request)); });
    }
  }
  StatelessDataLoader(const StatelessDataLoader&) = delete;
  StatelessDataLoader& operator=(const StatelessDataLoader&) = delete;

  // From the start, in the sampler's next order. One iterator at a time, and to its end.
  Iterator begin() {
    if (running_) {
      throw std::runtime_error(
          "Attempted to get a new DataLoader iterator while another iterator is not yet exhausted");
    }
    running_ = true;
    sampler_.reset(std::nullopt);
    if (is_ahead()) {
      const size_t ahead =
          options_.max_jobs().value_or(std::max<size_t>(2, 2 * options_.workers()));
      for (size_t i = 0; i < std::max<size_t>(1, ahead) && request_ahead(); ++i) continue;
    }
    return Iterator(this);
  }
  Iterator end() { return Iterator(); }

  // Ends the workers, and with them the iteration.
  void join() {
    mover_.reset();
    workers_.reset();
    running_ = false;
  }
  const DataLoaderOptions& options() const noexcept { return options_; }

 private:
  BatchType make(size_t worker, std::vector<size_t> request) {
    const NoGradGuard no_grad;
    BatchType batch = datasets_[worker].get_batch(std::move(request));
    if (options_.pin_memory() || target_) {
      for_each_tensor(batch, [](Tensor& tensor) {
        if (tensor.defined() && tensor.is_cpu()) tensor = tensor.pin_memory();
      });
    }
    return batch;
  }

  // A batch, and where its copies to the device end.
  struct Job {
    BatchType batch;
    cuda::CUDAEvent copied;
  };

  // By the mover's thread: the next batch of the workers, or one that it makes itself, on its way
  // to the device. Each job of the mover takes one of the workers', so that none is left waiting.
  std::shared_ptr<void> move_next(std::vector<size_t> request) {
    std::shared_ptr<Job> job =
        workers_ == nullptr
            ? std::make_shared<Job>(Job{make(0, std::move(request)), {}})
            : std::static_pointer_cast<Job>(workers_->pop(options_.enforce_ordering(), {}));
    const NoGradGuard no_grad;
    const cuda::CUDAStreamGuard guard(*stream_);
    for_each_tensor(job->batch, [&](Tensor& tensor) {
      if (!tensor.defined()) return;
      tensor = tensor.to(*target_, tensor.dtype(), true, false, options_.device_site());
    });
    job->copied.record(*stream_);
    return job;
  }

  // Whether threads make batches before they are asked for.
  bool is_ahead() const { return workers_ != nullptr || mover_ != nullptr; }

  std::optional<std::vector<size_t>> next_request() {
    auto indices = sampler_.next(options_.batch_size());
    if (indices && options_.drop_last() && indices->size() < options_.batch_size()) return {};
    return indices;
  }
  bool request_ahead() {
    auto request = next_request();
    if (!request) return false;
    if (mover_ == nullptr) {
      workers_->push(std::move(*request));
    } else if (workers_ == nullptr) {
      mover_->push(std::move(*request));
    } else {
      workers_->push(std::move(*request));
      mover_->push({});
    }
    return true;
  }

  // Whether there was a next batch.
  bool advance() {
    batch_.reset();
    detail::Workers* const last = mover_ != nullptr ? mover_.get() : workers_.get();
    if (last == nullptr) {
      if (auto request = next_request()) batch_ = make(0, std::move(*request));
    } else if (last->pending() > 0) {
      const auto result = last->pop(options_.enforce_ordering(), options_.timeout());
      request_ahead();
      Job& job = *static_cast<Job*>(result.get());
      batch_ = std::move(job.batch);
      if (target_) receive(*batch_, job.copied);
    }
    running_ = batch_.has_value();
    return running_;
  }

  // The program's stream uses what the mover's stream has made.
  void receive(BatchType& batch, const cuda::CUDAEvent& copied) const {
    const cuda::CUDAStream own =
        cuda::getCurrentCUDAStream(target_->index(), options_.device_site());
    copied.block(own);
    for_each_tensor(batch, [&](Tensor& tensor) {
      if (tensor.defined()) tensor.record_stream(own);
    });
  }

  DataLoaderOptions options_;
  Sampler sampler_;
  std::vector<Dataset> datasets_;  // one for each worker
  std::optional<BatchType> batch_;
  bool running_ = false;
  std::optional<Device> target_;            // with its index
  std::optional<cuda::CUDAStream> stream_;  // of the copies
  // The threads end first, as they use the data sets; the mover, which uses the workers, before
  // them.
  std::unique_ptr<detail::Workers> workers_, mover_;
};

template <class Dataset, class Sampler>
std::unique_ptr<StatelessDataLoader<Dataset, Sampler>> make_data_loader(Dataset dataset,
                                                                        Sampler sampler,
                                                                        DataLoaderOptions options) {
  return std::make_unique<StatelessDataLoader<Dataset, Sampler>>(
      std::move(dataset), std::move(sampler), std::move(options));
}

// With a sampler over the data set's size.
template <class Sampler = samplers::RandomSampler, class Dataset>
std::unique_ptr<StatelessDataLoader<Dataset, Sampler>> make_data_loader(
    Dataset dataset, DataLoaderOptions options = {}) {
  const std::optional<size_t> size = dataset.size();
  if (!size) {
    throw std::invalid_argument(
        "make_data_loader: the data set does not know its size, so its sampler must be given");
  }
  return make_data_loader(std::move(dataset), Sampler(*size), std::move(options));
}

}  // namespace tensorlib::data
