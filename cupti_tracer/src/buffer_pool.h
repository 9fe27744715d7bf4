#pragma once
// The buffers that CUPTI writes activity records into. Reused, because CUPTI asks for one from its
// own threads while it holds its locks, and never refused while memory lasts: older CUPTIs do not
// survive a refusal. Thread-safe; the lock is held for a push or a pop only.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace xfer::tracer {

class BufferPool {
 public:
  static constexpr std::size_t kBufferBytes = 256 * 1024;
  static constexpr std::size_t kAlignment = 8;

  explicit BufferPool(std::size_t keep = 16) : keep_(keep) { free_.reserve(keep); }
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  std::uint8_t* take();  ///< null when memory is out
  void give_back(std::uint8_t* buffer);

 private:
  std::mutex mutex_;
  std::size_t keep_;
  std::vector<std::uint8_t*> free_;
};

}  // namespace xfer::tracer
