#include "backend/cpu/loops.h"

#include "backend/cpu/levels.h"

namespace tensorlib::cpu::TENSORLIB_CPU_LEVEL {

CpuBackend* make_backend() { return new Loops; }

}  // namespace tensorlib::cpu::TENSORLIB_CPU_LEVEL
