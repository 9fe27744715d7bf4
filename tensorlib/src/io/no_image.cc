// For a build without libjpeg and libpng.
#include "core/check.h"
#include "tensorlib/io/image.h"

namespace tensorlib::io {

namespace {

[[noreturn]] void refuse(CallSite site) {
  throw Error(
      "read_image: this tensorlib was built without libjpeg and libpng\nhelp: install them "
      "(Debian: libjpeg-dev libpng-dev) and build it again",
      site);
}

}  // namespace

Tensor decode_image(const void*, size_t, const std::string&, CallSite site) { refuse(site); }
Tensor read_image(const std::string&, CallSite site) { refuse(site); }

}  // namespace tensorlib::io
