// Compiled with AVX2; called only where the processor has it.

#include "content_pass.h"

namespace xfer::content_pass {

const Passes kAvx2 = {hash, search, hash_and_search};

}  // namespace xfer::content_pass
