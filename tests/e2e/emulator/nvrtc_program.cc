// A program that compiles its kernel when it runs. The options of the compiler may be given; for a
// real architecture it takes machine code, as on a GPU.

#include <nvrtc.h>

#include <cstring>
#include <string>

#include "run_module.h"

int main(int argc, char** argv) {
  const char* const source =
      "template <typename T> __global__ void twice(T* values) { values[threadIdx.x] *= 2; }";
  nvrtcProgram program = nullptr;
  if (nvrtcCreateProgram(&program, source, "twice.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS)
    return 1;
  nvrtcAddNameExpression(program, "twice<float>");
  const char* const by_default[] = {"-arch=compute_80"};
  const bool given = argc > 1;
  if (nvrtcCompileProgram(program, given ? argc - 1 : 1, given ? argv + 1 : by_default) !=
      NVRTC_SUCCESS)
    return 2;
  const char* name = nullptr;
  nvrtcGetLoweredName(program, "twice<float>", &name);
  const bool is_real = given && std::strstr(argv[argc - 1], "sm_") != nullptr;
  std::size_t bytes = 0;
  (is_real ? nvrtcGetCUBINSize : nvrtcGetPTXSize)(program, &bytes);
  std::string code(bytes, '\0');
  (is_real ? nvrtcGetCUBIN : nvrtcGetPTX)(program, code.data());
  return run_module(code, name);
}
