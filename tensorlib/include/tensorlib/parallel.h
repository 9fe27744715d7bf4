// The number of threads that CPU operations use.
#pragma once

#include "tensorlib/macros.h"

namespace tensorlib {

TENSORLIB_API void set_num_threads(int count);
TENSORLIB_API int get_num_threads();

}  // namespace tensorlib
