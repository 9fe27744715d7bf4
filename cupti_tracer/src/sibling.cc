#include "sibling.h"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdlib>
#include <string>
#include <string_view>

namespace xfer::tracer {
namespace {

char g_program[PATH_MAX];              // empty: not found
std::array<char*, 512> g_environment;  // the program's, less what would trace the report

bool is_kept(std::string_view variable) {
  for (const std::string_view name :
       {"LD_PRELOAD=", "CUDA_INJECTION64_PATH=", "NVTX_INJECTION64_PATH=", "XFERCHECK_OPTIONS=",
        "XFERCHECK_EMULATE="})
    if (variable.starts_with(name)) return false;
  return true;
}

}  // namespace

void find_sibling() noexcept {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&find_sibling), &self) != 0 &&
      self.dli_fname != nullptr) {
    const std::string library = self.dli_fname;
    const auto slash = library.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : library.substr(0, slash);
    for (const char* place : {"/../bin/xfertrace", "/../../bin/xfertrace", "/xfertrace"}) {
      const std::string program = folder + place;
      // The program may go to another folder.
      if (access(program.c_str(), X_OK) == 0 && realpath(program.c_str(), g_program) != nullptr)
        break;
      g_program[0] = '\0';
    }
  }
  std::size_t count = 0;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (is_kept(*variable) && count + 1 < g_environment.size()) g_environment[count++] = *variable;
  g_environment[count] = nullptr;
}

const char* sibling_path() noexcept { return g_program[0] != '\0' ? g_program : nullptr; }

char* const* sibling_environment() noexcept { return g_environment.data(); }

}  // namespace xfer::tracer
