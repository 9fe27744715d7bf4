// A program that compiles two parts of its device code when it runs, links them by nvJitLink and
// runs the machine code that it is given. The first argument says of what the parts are: "ptx",
// "lto" (for nvJitLink's optimizer), or "mixed". With XFER_LOADED it loads nvJitLink and NVRTC when
// it runs, as Python's packages do: their files are the second and the third argument.

#include <cuda.h>
#include <dlfcn.h>
#include <nvJitLink.h>
#include <nvrtc.h>

#include <cstdio>
#include <string>
#include <vector>

#include "run_module.h"

namespace {

constexpr const char* kKernel =
    "__device__ float twice(float); extern \"C\" __global__ void run(float* values) {"
    "values[threadIdx.x] = twice(values[threadIdx.x]); }";
constexpr const char* kFunction = "__device__ float twice(float value) { return 2 * value; }";

#ifdef XFER_LOADED
void* linker;
void* compiler;

template <class Function>
Function* function(void* library, const std::string& name) {
  return reinterpret_cast<Function*>(dlsym(library, name.c_str()));
}
/// The name that the header of this toolkit gives it, such as __nvJitLinkCreate_13_0.
std::string with_version(const char* name) {
  return std::string("__") + name + "_" + std::to_string(CUDA_VERSION / 1000) + "_" +
         std::to_string(CUDA_VERSION % 1000 / 10);
}
#define COMPILER(name) function<decltype(name)>(compiler, #name)
#define LINKER(name) function<decltype(name)>(linker, with_version(#name))
#else
#define COMPILER(name) name
#define LINKER(name) name
#endif

struct Part {
  nvJitLinkInputType type;
  std::string code;
};

Part compiled(const char* source, bool for_optimizer) {
  nvrtcProgram program = nullptr;
  COMPILER(nvrtcCreateProgram)(&program, source, "part.cu", 0, nullptr, nullptr);
  std::vector<const char*> options = {"-arch=compute_80", "-rdc=true"};
  if (for_optimizer) options.push_back("-dlto");
  COMPILER(nvrtcCompileProgram)
  (program, static_cast<int>(options.size()), options.data());
  std::size_t bytes = 0;
  if (for_optimizer)
    COMPILER(nvrtcGetLTOIRSize)(program, &bytes);
  else
    COMPILER(nvrtcGetPTXSize)(program, &bytes);
  std::string code(bytes, '\0');
  if (for_optimizer)
    COMPILER(nvrtcGetLTOIR)(program, code.data());
  else
    COMPILER(nvrtcGetPTX)(program, code.data());
  return {for_optimizer ? NVJITLINK_INPUT_LTOIR : NVJITLINK_INPUT_PTX, code};
}

/// As a program takes it that does not link: machine code.
std::string compiled_for_a_device() {
  const char* source =
      "extern \"C\" __global__ void run(float* values) { values[threadIdx.x] *= 2; }";
  const char* options[] = {"-arch=sm_80"};
  nvrtcProgram program = nullptr;
  std::size_t bytes = 0;
  COMPILER(nvrtcCreateProgram)(&program, source, "all.cu", 0, nullptr, nullptr);
  COMPILER(nvrtcCompileProgram)(program, 1, options);
  COMPILER(nvrtcGetCUBINSize)(program, &bytes);
  std::string code(bytes, '\0');
  COMPILER(nvrtcGetCUBIN)(program, code.data());
  return code;
}

std::string linked(const std::vector<Part>& parts, bool optimizes) {
  nvJitLinkHandle link = nullptr;
  const char* options[] = {"-arch=sm_80", "-lto"};
  if (LINKER(nvJitLinkCreate)(&link, optimizes ? 2 : 1, options) != NVJITLINK_SUCCESS) return {};
  for (const Part& part : parts)
    if (LINKER(nvJitLinkAddData)(link, part.type, part.code.data(), part.code.size(), "part") !=
        NVJITLINK_SUCCESS)
      std::puts("a part is refused");
  char library[] = "!<arch>";
  if (LINKER(nvJitLinkAddData)(link, NVJITLINK_INPUT_LIBRARY, library, sizeof(library),
                               "libcudadevrt.a") != NVJITLINK_SUCCESS)
    std::puts("NVIDIA's library of device functions is refused");
  std::size_t bytes = 0;
  std::string code;
  if (LINKER(nvJitLinkComplete)(link) == NVJITLINK_SUCCESS) {
    LINKER(nvJitLinkGetLinkedCubinSize)(link, &bytes);
    code.resize(bytes);
    LINKER(nvJitLinkGetLinkedCubin)(link, code.data());
  }
  LINKER(nvJitLinkDestroy)(&link);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "ptx";
#ifdef XFER_LOADED
  if (argc < 4) return 1;
  linker = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
  compiler = dlopen(argv[3], RTLD_NOW | RTLD_LOCAL);
  if (linker == nullptr || compiler == nullptr) return 1;
#endif
  if (kind == "broken")
    return linked({{NVJITLINK_INPUT_PTX, "this is none"}}, false).empty() ? 6 : 0;
  if (kind == "twice") {
    const Part part = compiled(kFunction, false);
    return linked({part, part}, false).empty() ? 6 : 0;
  }
  if (kind == "machine code") return run_module(compiled_for_a_device(), "run");
  const bool optimizes = kind != "ptx";
  const std::string code =
      linked({compiled(kKernel, optimizes), compiled(kFunction, kind == "lto")}, optimizes);
  return code.empty() ? 2 : run_module(code, "run");
}
