#include "trace_path.h"

#include <unistd.h>

#include <cstdlib>

namespace xfer::tracer {
namespace {

constexpr const char* kOwner = "XFERCHECK_OUTPUT_OWNER";  // the first process that wrote

// A new file that only its user reads. A name that others can guess could be a link of theirs, to a
// file that must not be overwritten.
std::string temporary_file() {
  const char* folder = std::getenv("TMPDIR");
  std::string path = std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") +
                     "/xfertrace-" + std::to_string(getpid()) + "-XXXXXX.xft";
  constexpr int kSuffix = 4;  // .xft
  const int descriptor = mkstemps(path.data(), kSuffix);
  if (descriptor >= 0) close(descriptor);
  return path;
}

}  // namespace

std::string trace_path(const TracerOptions& options) {
  if (options.output.empty()) return temporary_file();
  std::string path = expand_path(options.output);
  const std::string self = std::to_string(getpid());
  const char* owner = std::getenv(kOwner);
  const bool inherited = owner != nullptr && self != owner;
  if (owner == nullptr) setenv(kOwner, self.c_str(), 0);
  if (inherited && options.output.find("%p") == std::string::npos) path += "." + self;
  // Same process, an earlier program: exec.
  const bool again = owner != nullptr && !inherited;
  for (int n = 2; again && access(path.c_str(), F_OK) == 0 && n < 1000; ++n) {
    const auto dot = path.rfind(".xft");
    const std::string stem =
        n == 2 ? path.substr(0, dot) : path.substr(0, path.rfind('.', dot - 1));
    path = stem + "." + std::to_string(n) + ".xft";
  }
  return path;
}

}  // namespace xfer::tracer
