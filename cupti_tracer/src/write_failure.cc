#include "write_failure.h"

#include <sys/resource.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace xfer::tracer {
namespace {

bool has_file_limit() {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

const char* remedy_of_write(int error) noexcept {
  switch (error) {
    case EFBIG: return "raise the limit on the size of files (ulimit -f)";
    case ENOMEM: return "leave the program more memory";
    case ENOSPC:
    case EDQUOT: return "make room there, or set TMPDIR to a folder on another disk";
    default: return "set TMPDIR to a writable folder";
  }
}

void describe_write_failure(const WriteFailure& failure, std::span<char> line) noexcept {
  const char* const reason = strerrordesc_np(failure.error);
  const bool by_option = failure.error == EFBIG && failure.option_bytes != 0 && !has_file_limit();
  if (failure.lost == 0)
    std::snprintf(line.data(), line.size(), "the end of the trace");
  else
    std::snprintf(line.data(), line.size(), "%" PRIu64 " event%s of the trace", failure.lost,
                  failure.lost == 1 ? "" : "s");
  const std::size_t used = std::strlen(line.data());
  std::snprintf(
      line.data() + used, line.size() - used,
      " could not be written to %s: %s; the report is of the rest; %s", failure.path,
      reason != nullptr ? reason : "error",
      by_option ? "raise XFERCHECK_OPTIONS=max_file_bytes=N" : remedy_of_write(failure.error));
}

}  // namespace xfer::tracer
