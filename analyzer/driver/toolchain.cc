#include "analyzer/driver/toolchain.h"

#include <fmt/format.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>

#include <cstdlib>
#include <vector>

#include "analyzer/driver/usage_error.h"

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

bool has_builtin_headers(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "include" / "stddef.h", error);
}

// Of an installation: below the folder that holds bin/.
fs::path prefix() {
  const fs::path self = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  return self.parent_path().parent_path();
}

fs::path installed(const char* name) { return prefix() / XFER_LIBDIR / "xfercheck" / name; }

// pip puts CUDA's headers beside this package, and PyTorch brings them: site-packages/nvidia/cu13.
fs::path toolkit_of_pip() { return prefix().parent_path().parent_path() / "nvidia" / "cu13"; }

std::optional<fs::path> toolkit_of(const fs::path& nvcc) {
  std::error_code error;
  const fs::path real = fs::canonical(nvcc, error);
  if (error) return std::nullopt;
  const fs::path root = real.parent_path().parent_path();
  if (fs::exists(root / "include" / "cuda_runtime.h", error)) return root;
  return std::nullopt;
}

}  // namespace

fs::path clang_resource_dir() {
  std::vector<fs::path> candidates;
  if (const char* folder = std::getenv("XFERLINT_RESOURCE_DIR")) candidates.emplace_back(folder);
  const std::string version = XFER_CLANG_MAJOR;
  candidates.push_back(installed("clang"));
  candidates.emplace_back(XFER_CLANG_RESOURCE_DIR);
  candidates.emplace_back(fmt::format("/usr/lib/llvm-{0}/lib/clang/{0}", version));
  candidates.emplace_back(fmt::format("/usr/lib/clang/{}", version));
  candidates.emplace_back(fmt::format("/usr/lib64/clang/{}", version));
  for (const std::string& name : {"clang-" + version, std::string("clang")}) {
    if (const auto program = llvm::sys::findProgramByName(name)) {
      std::error_code error;
      const fs::path bin = fs::canonical(*program, error).parent_path();
      if (!error) candidates.push_back(bin.parent_path() / "lib" / "clang" / version);
    }
  }
  for (const fs::path& candidate : candidates)
    if (has_builtin_headers(candidate)) return candidate;
  throw UsageError(fmt::format(
      "Clang {0}'s builtin headers were not found (Debian: libclang-common-{0}-dev); set "
      "XFERLINT_RESOURCE_DIR to the folder that `clang-{0} -print-resource-dir` prints",
      version));
}

fs::path gcc_include_dir() {
  fs::path best;
  int best_version = 0;
  std::error_code error;
  for (const char* lib : {"/usr/lib/gcc", "/usr/lib64/gcc"}) {
    for (const auto& triple : fs::directory_iterator(lib, error)) {
      for (const auto& version : fs::directory_iterator(triple.path(), error)) {
        const int number = std::atoi(version.path().filename().c_str());
        const fs::path include = version.path() / "include";
        if (number <= best_version || !fs::exists(include / "omp.h", error)) continue;
        best_version = number;
        best = include;
      }
    }
  }
  return best;
}

std::optional<LibraryHeaders> library_headers() {
  return own_library_headers(installed("headers"), "/");
}

std::optional<fs::path> cuda_toolkit(const std::string& wanted, const std::string& compiler) {
  std::error_code error;
  if (!wanted.empty()) {
    if (fs::exists(fs::path(wanted) / "include" / "cuda_runtime.h", error)) return fs::path(wanted);
    throw UsageError(fmt::format("--cuda-path: no include/cuda_runtime.h in {}", wanted));
  }
  if (!compiler.empty())
    if (auto root = toolkit_of(compiler)) return root;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* folder = std::getenv(variable);
    if (folder != nullptr && fs::exists(fs::path(folder) / "include" / "cuda_runtime.h", error))
      return fs::path(folder);
  }
  if (const auto nvcc = llvm::sys::findProgramByName("nvcc"))
    if (auto root = toolkit_of(*nvcc)) return root;
  for (const fs::path& usual : {fs::path("/usr/local/cuda"), toolkit_of_pip()})
    if (fs::exists(usual / "include" / "cuda_runtime.h", error)) return usual;
  return std::nullopt;
}

}  // namespace xfer::lint
