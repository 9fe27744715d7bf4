// The way into libxfer_kernels.so.

#include <utility>

#include "kernels/kernels.h"

extern "C" {

__attribute__((visibility("default"))) xfer::kernels::Program* xfer_kernels_load(
    std::vector<std::string> texts, std::string* why, const xfer::kernels::Settings& settings) {
  return xfer::kernels::load_program(std::move(texts), why, settings);
}

__attribute__((visibility("default"))) std::uint64_t xfer_kernels_translated() {
  return xfer::kernels::translations();
}
}
