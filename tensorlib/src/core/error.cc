#include "tensorlib/error.h"

namespace tensorlib {

namespace {

// The line goes below the headline, so that the headline stays what it is.
std::string with_site(const std::string& text, CallSite site) {
  if (!site.known()) return text;
  const std::string line = "\n  at " + std::string(site.file) + ":" + std::to_string(site.line);
  const size_t end_of_headline = text.find('\n');
  if (end_of_headline == std::string::npos) return text + line;
  return text.substr(0, end_of_headline) + line + text.substr(end_of_headline);
}

}  // namespace

Error::Error(const std::string& text, CallSite site)
    : std::runtime_error(with_site(text, site)), message_(text), site_(site) {}

// The destructors are here so that each class has one typeinfo, in this library.
Error::~Error() = default;
DeviceMismatchError::~DeviceMismatchError() = default;
DTypeMismatchError::~DTypeMismatchError() = default;
ShapeError::~ShapeError() = default;
IndexError::~IndexError() = default;
DeviceError::~DeviceError() = default;

}  // namespace tensorlib
