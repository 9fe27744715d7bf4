#include <generated_part.h>
#include <private_part.h>
#include <sample_engine.h>

#if !defined(ENGINE_ITSELF) || !defined(ONLY_COPTS)
#error "a flag of the library is missing"
#endif
static_assert(__cplusplus > 201703L && kGenerated == 3);

at::Tensor combine(const at::Tensor& a, const at::Tensor& b) { return a.add(b); }

at::Tensor upload(const at::Tensor& x) { return x.to(torch::kCUDA); }
