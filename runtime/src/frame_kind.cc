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

constexpr std::array kLibraryModules = {
    string_view("libtensorlib"), string_view("libtorch"),  string_view("libc10"),
    string_view("libstdc++"),    string_view("libc++"),    string_view("libgomp"),
    string_view("libomp"),       string_view("libpython"), string_view("libffi")};

// Folders that hold other people's code, wherever they are.
constexpr std::array kLibraryFolders = {
    string_view("/_deps/"),         string_view("/third_party/"),     string_view("/third-party/"),
    string_view("/thirdparty/"),    string_view("/3rdparty/"),        string_view("/vendor/"),
    string_view("/site-packages/"), string_view("/dist-packages/"),   string_view("/.conan/"),
    string_view("/.conan2/"),       string_view("/vcpkg_installed/"), string_view("/usr/include/"),
    string_view("/usr/lib/"),       string_view("/usr/local/"),       string_view("/lib/python3")};

constexpr std::array kInternalModules = {
    string_view("libcuda"),     string_view("libcupti"),      string_view("libcublas"),
    string_view("libcudnn"),    string_view("libcufft"),      string_view("libcusparse"),
    string_view("libcusolver"), string_view("libcurand"),     string_view("libnccl"),
    string_view("libnvrtc"),    string_view("libnvToolsExt"), string_view("libxfer"),
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

string_view file_name(string_view path) {
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
  return file_name(file) == "libc-start.c" || file_name(file) == "libc_start_call_main.h";
}

// The part of `path` below `root`, with its slash; empty when it lies elsewhere.
string_view below(string_view path, string_view root) {
  if (root.empty() || !path.starts_with(root)) return {};
  path.remove_prefix(root.size());
  return path.starts_with('/') ? path : string_view();
}

bool is_in_library_folder(string_view path) {
  return std::any_of(kLibraryFolders.begin(), kLibraryFolders.end(),
                     [&](string_view folder) { return path.find(folder) != string_view::npos; });
}

bool is_program(const SymbolFrame& frame) {
  return frame.kind == FrameKind::kUser || frame.kind == FrameKind::kOutside;
}

// Of a frame that has a file: by where it lies.
FrameKind kind_of_file(string_view path, const std::filesystem::path& project_root) {
  if (project_root.empty())
    return is_in_library_folder(path) ? FrameKind::kLibrary : FrameKind::kUser;
  const string_view inside = below(path, project_root.native());
  if (is_in_library_folder(inside.empty() ? path : inside)) return FrameKind::kLibrary;
  return inside.empty() ? FrameKind::kOutside : FrameKind::kUser;
}

// Code compiled from no file has a name in angle brackets: the user's, but for frozen modules.
FrameKind kind_of_python(string_view file, const std::filesystem::path& project_root) {
  if (file.starts_with("<frozen ")) return FrameKind::kInternal;
  return file.starts_with('<') ? FrameKind::kUser : kind_of_file(file, project_root);
}

// "python3.11", as a program.
bool is_interpreter(string_view module) {
  if (!module.starts_with("python")) return false;
  module.remove_prefix(6);
  return module.find_first_not_of("0123456789.dt") == string_view::npos;
}

}  // namespace

FrameKind frame_kind(const SymbolFrame& frame, const std::filesystem::path& project_root) {
  if (frame.python) return kind_of_python(frame.location.file, project_root);
  const string_view function = frame.location.function;
  const string_view file = file_name(frame.location.file);
  const string_view module = file_name(frame.module);
  if (starts_with_any(function, kInternalFunctions) || is_start_code(file) ||
      file.ends_with(".cudafe1.stub.c") || frame.module == "[vdso]" ||
      starts_with_any(module, kInternalModules) || is_interpreter(module))
    return FrameKind::kInternal;
  for (const string_view internal : kInternalFiles)
    if (file == internal) return FrameKind::kInternal;
  // The runtime's entry points, linked statically or as wrappers in its headers.
  if (function.starts_with("cuda") && function.size() > 4 && function[4] >= 'A' &&
      function[4] <= 'Z' && frame.location.file.empty())
    return FrameKind::kInternal;
  if (starts_with_any(function, kLibraryNamespaces) || starts_with_any(module, kLibraryModules))
    return FrameKind::kLibrary;
  const bool is_shared_library = module.find(".so") != string_view::npos;
  if (frame.location.file.empty()) {
    // A shared library without debug information in a library's place is no program of the user's.
    return is_shared_library &&
                   (frame.module.starts_with("/lib") || is_in_library_folder(frame.module))
               ? FrameKind::kLibrary
               : FrameKind::kUser;
  }
  const FrameKind kind = kind_of_file(frame.location.file, project_root);
  // An extension module of Python's, built with debug information, somewhere.
  const bool in_project = kind == FrameKind::kUser && !project_root.empty();
  return is_shared_library && !in_project && is_in_library_folder(frame.module)
             ? FrameKind::kLibrary
             : kind;
}

const SymbolFrame* user_frame(const std::vector<SymbolFrame>& stack) {
  const auto innermost = [&](auto matches) -> const SymbolFrame* {
    const auto found = std::find_if(stack.begin(), stack.end(), matches);
    return found != stack.end() ? &*found : nullptr;
  };
  for (const FrameKind kind : {FrameKind::kUser, FrameKind::kOutside})
    if (const SymbolFrame* frame = innermost([&](const SymbolFrame& candidate) {
          return candidate.kind == kind && !candidate.location.file.empty();
        }))
      return frame;
  if (const SymbolFrame* frame = innermost([](const SymbolFrame& candidate) {
        return is_program(candidate) && !candidate.location.function.empty();
      }))
    return frame;
  if (const SymbolFrame* frame = innermost([](const SymbolFrame& candidate) {
        return candidate.kind == FrameKind::kLibrary && !candidate.location.file.empty();
      }))
    return frame;
  if (const SymbolFrame* frame = innermost(is_program)) return frame;
  return stack.empty() ? nullptr : &stack.front();
}

std::vector<SymbolFrame> folded(const std::vector<SymbolFrame>& stack) {
  std::vector<SymbolFrame> frames;
  const SymbolFrame* const first = user_frame(stack);
  if (first == nullptr) return frames;
  for (auto at = stack.begin() + (first - stack.data()); at != stack.end(); ++at) {
    // Frames between the project's frames are of no more use than the frames below them.
    if (at->kind > first->kind) continue;
    if (at->location.file.empty() && at->location.function.empty()) continue;
    frames.push_back(*at);
    if (at->location.function == "main" && !at->python) break;
  }
  return frames;
}

}  // namespace xfer
