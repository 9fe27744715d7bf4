#include "cudart/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace xfer::emulator {

std::string demangle(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : std::string(name);
}

}  // namespace xfer::emulator
