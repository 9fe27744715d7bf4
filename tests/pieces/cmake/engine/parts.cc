#include <header.h>
#include <sample_engine.h>

static_assert(kGenerated == 3 && __cplusplus == 201703L);

at::Tensor part(const at::Tensor& x) { return x; }
