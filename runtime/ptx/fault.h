#pragma once
// An error in a text of PTX, and its place.

#include <stdexcept>
#include <string>

namespace xfer::ptx {

/// The message says what is wrong, without the line.
class Fault : public std::runtime_error {
 public:
  Fault(unsigned line, const std::string& what) : runtime_error(what), line_(line) {}
  unsigned line() const { return line_; }

 private:
  unsigned line_;
};

}  // namespace xfer::ptx
