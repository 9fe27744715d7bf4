#include <header.h>
#include <sample_engine.h>

#if !defined(ENGINE_ITSELF) || !defined(FROM_FORCED_HEADER) || !defined(FROM_FOLDER) || \
    !defined(FROM_FOLDER_FLAGS)
#error "a flag of the target or of its folder is missing"
#endif
#ifdef ONLY_SPECIAL
#error "another source's flag is here"
#endif
#ifndef IN_DEBUG
#error "the configuration's flag is missing"
#endif
static_assert(__cplusplus > 201703L && kGenerated == 3);

at::Tensor combine(const at::Tensor& a, const at::Tensor& b) { return a.add(b); }

at::Tensor upload(const at::Tensor& x) { return x.to(torch::kCUDA); }
