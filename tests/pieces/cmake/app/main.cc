#include <sample_engine.h>

#if defined(ENGINE_ITSELF) || defined(FROM_FOLDER)
#error "a flag of another target is here"
#endif
static_assert(__cplusplus == 201703L && sizeof(FROM_ENGINE) == 10);

int main() {
  at::Tensor here = at::ones(3);
  at::Tensor there = upload(at::ones(3));
  combine(here, there);  // LINT: missing-transfer
}
