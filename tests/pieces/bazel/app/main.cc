#include <sample_engine.h>

#ifdef ENGINE_ITSELF
#error "a flag of another target is here"
#endif

int main() {
  at::Tensor here = at::ones(3);
  at::Tensor there = upload(at::ones(3));
  combine(here, there);  // LINT: missing-transfer
}
