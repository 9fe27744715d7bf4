#include <sample_engine.h>

#ifndef ONLY_SPECIAL
#error "the source's own flag is missing"
#endif

void special(at::Tensor x) {
  x.to(torch::kCUDA);  // LINT: discarded-transfer
}
