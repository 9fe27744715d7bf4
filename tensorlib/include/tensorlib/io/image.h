// Reading JPEG and PNG images.
#pragma once

#include <cstddef>
#include <string>

#include "tensorlib/tensor.h"

namespace tensorlib::io {

// An image as uint8 [channels, height, width]: 1 channel of a grey one, 3 of a colour one, and one
// more for a PNG's transparency. The file's first bytes tell its format. A file that is missing, no
// image, cut off or damaged is an Error that says which.
TENSORLIB_PURE TENSORLIB_API Tensor read_image(const std::string& path,
                                               CallSite site = CallSite::current());
// `name` is what errors call the bytes.
TENSORLIB_PURE TENSORLIB_API Tensor decode_image(const void* data, size_t size,
                                                 const std::string& name,
                                                 CallSite site = CallSite::current());

}  // namespace tensorlib::io
