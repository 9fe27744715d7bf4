// Functions of newer C libraries that libstdc++'s and LLVM's archives call, for older ones.

#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

// glibc has it since 2.36.
extern "C" std::uint32_t arc4random() {
  std::uint32_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) std::abort();
  return number;
}
