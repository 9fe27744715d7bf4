#pragma once
// The file descriptor that a trace is appended to, in a process that is not ours: it is kept out of
// the way of the program's own descriptors, survives a program that closes them all, and a full
// disk or a file size limit is an error code and not a signal. Not thread-safe; append() is
// async-signal-safe.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace xfer {

class TraceFile {
 public:
  TraceFile() = default;
  ~TraceFile() { close(); }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  /// Creates or truncates. False with errno set.
  bool open(const char* path);
  /// All of it or nothing: after a short write the file is cut back. False with errno set.
  bool append(const void* data, std::size_t size) noexcept;
  void close() noexcept;

  std::uint64_t size() const noexcept { return size_; }

 private:
  bool is_ours() const noexcept;
  bool reopen() noexcept;

  std::string path_;
  int descriptor_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace xfer
