// The exceptions of the library. Each has a headline, the user's line, the operands, and a way to
// mend it.
#pragma once

#include <stdexcept>
#include <string>

#include "tensorlib/call_site.h"
#include "tensorlib/macros.h"

namespace tensorlib {

class TENSORLIB_API Error : public std::runtime_error {
 public:
  Error(const std::string& text, CallSite site);
  ~Error() override;

  // The line of the program that made the failing call, where it is known.
  CallSite site() const noexcept { return site_; }
  // The text without the line.
  const std::string& msg() const noexcept { return message_; }
  // LibTorch's name for it.
  const char* what_without_backtrace() const noexcept { return what(); }

 private:
  std::string message_;
  CallSite site_;
};

// Operands of one operation live on different devices.
class TENSORLIB_API DeviceMismatchError : public Error {
 public:
  using Error::Error;
  ~DeviceMismatchError() override;
};

// Operands of one operation have element types that it does not mix.
class TENSORLIB_API DTypeMismatchError : public Error {
 public:
  using Error::Error;
  ~DTypeMismatchError() override;
};

// Shapes that do not fit together or do not fit the operation.
class TENSORLIB_API ShapeError : public Error {
 public:
  using Error::Error;
  ~ShapeError() override;
};

// An index or a dimension that the tensor does not have.
class TENSORLIB_API IndexError : public Error {
 public:
  using Error::Error;
  ~IndexError() override;
};

// A device that cannot be used: not built in, not present, out of range, or out of memory.
class TENSORLIB_API DeviceError : public Error {
 public:
  using Error::Error;
  ~DeviceError() override;
};

}  // namespace tensorlib
