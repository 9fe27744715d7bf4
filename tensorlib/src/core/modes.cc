// Modes of the process and of threads.
#include <cblas.h>
#include <omp.h>

#include <algorithm>

#include "tensorlib/grad_mode.h"
#include "tensorlib/parallel.h"

namespace tensorlib {

namespace {

thread_local bool grad_enabled = true;

}  // namespace

bool GradMode::is_enabled() { return grad_enabled; }
void GradMode::set_enabled(bool on) { grad_enabled = on; }

void set_num_threads(int count) {
  count = std::max(1, count);
  omp_set_num_threads(count);
  openblas_set_num_threads(count);
}
int get_num_threads() { return omp_get_max_threads(); }

}  // namespace tensorlib
