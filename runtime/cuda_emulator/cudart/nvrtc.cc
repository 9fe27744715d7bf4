// NVRTC makes machine code for programs that ask for it, which nothing here runs. Where devices are
// emulated it makes PTX instead, and the driver takes either. Where this library was preloaded, the
// functions come before NVRTC's own in programs that are linked to it, and take their place in the
// one that is loaded later.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cudart/redirection.h"
#include "machine/machine.h"

extern "C" {
int nvrtcCompileProgram(void* program, int count, const char* const* options);
int nvrtcGetCUBINSize(void* program, std::size_t* size);
int nvrtcGetCUBIN(void* program, char* code);
}

namespace xfer::emulator {
namespace {

// As in nvrtc.h, which not every toolkit's installation has.
using Program = void*;
using Status = int;
constexpr Status kSuccess = 0;
constexpr Status kInternalError = 11;

std::array<Redirection, 5>& nvrtc_functions() {
  static std::array<Redirection, 5> all{
      {{"nvrtcCompileProgram", reinterpret_cast<const void*>(&nvrtcCompileProgram)},
       {"nvrtcGetCUBINSize", reinterpret_cast<const void*>(&nvrtcGetCUBINSize)},
       {"nvrtcGetCUBIN", reinterpret_cast<const void*>(&nvrtcGetCUBIN)},
       {"nvrtcGetPTXSize", nullptr},
       {"nvrtcGetPTX", nullptr}}};
  return all;
}

template <class... Arguments>
Status call_nvrtc(const char* name, Arguments... arguments) {
  return call_own(nvrtc_functions(), name, kInternalError, arguments...);
}

/// Of sm_90 and -arch=sm_90 and the like: the same with compute_90.
std::string for_ptx(std::string option) {
  constexpr std::string_view kReal = "sm_";
  const std::size_t value = option.rfind('=') + 1;  // 0: it is all value
  if (option.compare(value, kReal.size(), kReal) == 0 &&
      (value == 0 || std::string_view(option).substr(0, value).ends_with("arch=") ||
       std::string_view(option).substr(0, value).ends_with("architecture=")))
    option.replace(value, kReal.size(), "compute_");
  return option;
}

bool has_machine_code(Program program) {
  std::size_t size = 0;
  return call_nvrtc("nvrtcGetCUBINSize", program, &size) == kSuccess && size != 0;
}

}  // namespace

std::span<Redirection> nvrtc_redirections() { return nvrtc_functions(); }

}  // namespace xfer::emulator

using namespace xfer::emulator;

extern "C" {

Status nvrtcCompileProgram(Program program, int count, const char* const* options) {
  if (Machine::instance().device_count() == 0)
    return call_nvrtc("nvrtcCompileProgram", program, count, options);
  std::vector<std::string> changed;
  for (int i = 0; i < count; ++i) changed.push_back(for_ptx(options[i]));
  std::vector<const char*> texts;
  for (const std::string& option : changed) texts.push_back(option.c_str());
  return call_nvrtc("nvrtcCompileProgram", program, count,
                    static_cast<const char* const*>(texts.data()));
}

Status nvrtcGetCUBINSize(Program program, std::size_t* size) {
  return call_nvrtc(has_machine_code(program) ? "nvrtcGetCUBINSize" : "nvrtcGetPTXSize", program,
                    size);
}

Status nvrtcGetCUBIN(Program program, char* code) {
  return call_nvrtc(has_machine_code(program) ? "nvrtcGetCUBIN" : "nvrtcGetPTX", program, code);
}
}
