#include <algorithm>
#include <array>
#include <string_view>

#include "xfer/symbolize.h"

namespace xfer {
namespace {

using std::string_view;

// Libraries that copy on behalf of the program: the program's line is further out.
constexpr std::array kLibraryNamespaces = {
    string_view("tensorlib::"), string_view("torch::"),    string_view("at::"),
    string_view("c10::"),       string_view("thrust::"),   string_view("cub::"),
    string_view("cuda::"),      string_view("cusp::"),     string_view("rmm::"),
    string_view("std::"),       string_view("__gnu_cxx::")};

constexpr std::array kLibraryModules = {string_view("libtensorlib"), string_view("libtorch"),
                                        string_view("libc10"),       string_view("libstdc++"),
                                        string_view("libc++"),       string_view("libgomp"),
                                        string_view("libomp")};

constexpr std::array kInternalModules = {
    string_view("libcuda"),     string_view("libcupti"),      string_view("libcublas"),
    string_view("libcudnn"),    string_view("libcufft"),      string_view("libcusparse"),
    string_view("libcusolver"), string_view("libcurand"),     string_view("libnccl"),
    string_view("libnvrtc"),    string_view("libnvToolsExt"), string_view("libxfertrace"),
    string_view("libc.so"),     string_view("libc-"),         string_view("libpthread"),
    string_view("ld-linux"),    string_view("libgcc_s"),      string_view("libunwind"),
    string_view("libdl"),       string_view("linux-vdso")};

constexpr std::array kInternalFiles = {
    string_view("cuda_runtime.h"), string_view("cuda_runtime_api.h"), string_view("host_runtime.h"),
    string_view("cuda_device_runtime_api.h")};

// Functions that static linking or nvcc puts into the program itself.
constexpr std::array kInternalFunctions = {string_view("__device_stub__"),
                                           string_view("__wrapper__device_stub_"),
                                           string_view("__cudart"),
                                           string_view("__libc_start"),
                                           string_view("_start"),
                                           string_view("__cudaLaunchKernel"),
                                           string_view("__nv_cudaEntityRegisterCallback"),
                                           string_view("__sti____cudaRegisterAll")};

string_view base_name(string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == string_view::npos ? path : path.substr(slash + 1);
}

template <std::size_t N>
bool starts_with_any(string_view text, const std::array<string_view, N>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](string_view prefix) { return text.starts_with(prefix); });
}

// Debian's crt files and libc's own start code carry no library name.
bool is_start_code(string_view file) {
  return base_name(file) == "libc-start.c" || base_name(file) == "libc_start_call_main.h";
}

}  // namespace

FrameKind frame_kind(const SymbolFrame& frame) {
  const string_view function = frame.location.function;
  const string_view file = base_name(frame.location.file);
  const string_view module = base_name(frame.module);
  if (starts_with_any(function, kInternalFunctions) || is_start_code(file) ||
      file.ends_with(".cudafe1.stub.c") || frame.module == "[vdso]" ||
      starts_with_any(module, kInternalModules))
    return FrameKind::kInternal;
  for (const string_view internal : kInternalFiles)
    if (file == internal) return FrameKind::kInternal;
  // The runtime's entry points, linked statically or as wrappers in its headers.
  if (function.starts_with("cuda") && function.size() > 4 && function[4] >= 'A' &&
      function[4] <= 'Z' && frame.location.file.empty())
    return FrameKind::kInternal;
  if (starts_with_any(function, kLibraryNamespaces) || starts_with_any(module, kLibraryModules))
    return FrameKind::kLibrary;
  // A shared library without debug information in the system's folders is no program of the user's.
  if (frame.location.file.empty() && module.find(".so") != string_view::npos &&
      (frame.module.starts_with("/usr/lib") || frame.module.starts_with("/lib")))
    return FrameKind::kLibrary;
  return FrameKind::kUser;
}

const SymbolFrame* user_frame(const std::vector<SymbolFrame>& stack) {
  for (const FrameKind kind : {FrameKind::kUser, FrameKind::kLibrary})
    for (const SymbolFrame& frame : stack)
      if (frame.kind == kind && !frame.location.file.empty()) return &frame;
  for (const SymbolFrame& frame : stack)
    if (frame.kind == FrameKind::kUser) return &frame;
  return stack.empty() ? nullptr : &stack.front();
}

}  // namespace xfer
