#ifndef shared_EXPORTS
#error "the library's own macro is missing"
#endif

void shared(at::Tensor x) {
  x.to(torch::kCUDA);  // LINT: discarded-transfer
}
