#pragma once
// An error that a person has to fix before linting can start: one line, exit code 2.

#include <stdexcept>

namespace xfer::lint {

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace xfer::lint
