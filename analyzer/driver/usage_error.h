#pragma once
// What a person has to put right before linting can start: one line, exit code 2.

#include <stdexcept>

namespace xfer::lint {

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace xfer::lint
