// The threads of a data loader: jobs in, results out.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tensorlib/macros.h"

namespace tensorlib::data {

// An exception of a worker thread, thrown again where the batch is asked for.
struct TENSORLIB_API WorkerException : public std::runtime_error {
  explicit WorkerException(std::exception_ptr original);
  ~WorkerException() override;
  std::exception_ptr original_exception;
};

namespace detail {

class TENSORLIB_API Workers {
 public:
  using Request = std::vector<size_t>;
  using Result = std::shared_ptr<void>;
  using Work = std::function<Result(size_t worker, Request request)>;

  Workers(size_t count, Work work);
  // Waits for the jobs that have begun; the others are dropped.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Jobs are numbered as they come.
  void push(Request request);
  // The next finished job, the oldest one where `ordered`. Rethrows what it threw; throws a
  // runtime_error when it takes longer than `timeout`.
  Result pop(bool ordered, std::optional<std::chrono::milliseconds> timeout);
  // Jobs that were pushed and not popped.
  size_t pending() const;
  void drop_all();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace detail

}  // namespace tensorlib::data
